// Command oracle answers, one JSON line for each JSON line on standard input, what kube-apiserver's own code
// makes of definitions and objects.
//
// Requests, by "op":
//
//	session  {session, crd}                          keeps a definition under a name; answers {errors, warnings}
//	crd      {crd, old, version, rules}              {errors, warnings, decodeError, rules: [{path, maxCost, ...}]}
//	object   {session|crd, version, object, old, subresource, body, cost}   {unknownFields, object, errors, warnings, celCost}
//	table    {session|crd, version, object}          {columns, cells}
//	scale    {session|crd, version, old, scale}   {scale, error, object}: of a stored object, read, or written where "scale" is given
//	rules    {session|crd, version}                  {rules: [{path, error, maxCost, runs, requestRuns, ...}]}
//	bench    {session|crd, version, object, millis, stage}   {nanos, cpuNanos}: a "write" (create), a "compile", or the "rules" alone
//
// "id" is copied from request to answer. A request that cannot be served answers {"failure": text}.
// Answers come in the order of the requests; -jobs requests run side by side.
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"crd-tests/kube/serving"

	"k8s.io/klog/v2"
)

type request struct {
	ID          json.RawMessage `json:"id,omitempty"`
	Op          string          `json:"op"`
	Session     string          `json:"session,omitempty"`
	CRD         json.RawMessage `json:"crd,omitempty"`
	Old         json.RawMessage `json:"old,omitempty"`
	Version     string          `json:"version,omitempty"`
	Object      json.RawMessage `json:"object,omitempty"`
	Subresource string          `json:"subresource,omitempty"`
	Scale       json.RawMessage `json:"scale,omitempty"`
	Body        bool            `json:"body,omitempty"`
	Cost        bool            `json:"cost,omitempty"`
	Rules       bool            `json:"rules,omitempty"`
	Millis      int64           `json:"millis,omitempty"`
	Stage       string          `json:"stage,omitempty"`
}

type oracle struct {
	mu       sync.Mutex
	sessions map[string]json.RawMessage
	versions map[[sha256.Size]byte]*served
}

type served struct {
	once    sync.Once
	version *serving.Version
	err     error
}

// gcPercent lets garbage pile up to several times what is in use: an environment of CEL is made for each definition.
const gcPercent = 400

// maxCached bounds the compiled versions kept: a generator sends each definition once.
const maxCached = 512

func (o *oracle) serve(r *request) (*serving.Version, error) {
	crd := o.definition(r)
	if crd == nil {
		return nil, fmt.Errorf("no crd, and no session %q", r.Session)
	}
	version := r.version()
	key := sha256.Sum256(append([]byte(version+"\x00"), crd...))
	o.mu.Lock()
	entry, ok := o.versions[key]
	if !ok {
		if len(o.versions) >= maxCached {
			clear(o.versions)
		}
		entry = &served{}
		o.versions[key] = entry
	}
	o.mu.Unlock()
	entry.once.Do(func() { entry.version, entry.err = serving.Serve(crd, version) })
	return entry.version, entry.err
}

func (r *request) version() string {
	if r.Version == "" {
		return "v1"
	}
	return r.Version
}

func (o *oracle) definition(r *request) json.RawMessage {
	if len(r.CRD) > 0 {
		return r.CRD
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.sessions[r.Session]
}

func (o *oracle) answer(line []byte) (out []byte) {
	var r request
	defer func() {
		if p := recover(); p != nil {
			out = reply(r.ID, map[string]any{"failure": fmt.Sprintf("panic: %v\n%s", p, debug.Stack())})
		}
	}()
	if err := json.Unmarshal(line, &r); err != nil {
		return reply(nil, map[string]any{"failure": "request: " + err.Error()})
	}
	value, err := o.run(&r)
	if err != nil {
		return reply(r.ID, map[string]any{"failure": err.Error()})
	}
	return reply(r.ID, value)
}

func (o *oracle) run(r *request) (any, error) {
	switch r.Op {
	case "session":
		o.mu.Lock()
		o.sessions[r.Session] = r.CRD
		o.mu.Unlock()
		return serving.CheckDefinition(r.CRD, r.Old), nil
	case "crd":
		checked := serving.CheckDefinition(r.CRD, r.Old)
		if r.Rules && checked.DecodeError == "" {
			rules, err := serving.Rules(r.CRD, r.version())
			if err != nil {
				return nil, err
			}
			checked.Rules = rules
		}
		return checked, nil
	case "rules":
		rules, err := serving.Rules(o.definition(r), r.version())
		return map[string]any{"rules": rules}, err
	}
	v, err := o.serve(r)
	if err != nil {
		return nil, err
	}
	switch r.Op {
	case "object":
		return v.Write(r.Object, r.Old, r.Subresource, r.Body, r.Cost), nil
	case "scale":
		if len(r.Scale) == 0 {
			return v.ReadScale(r.Old)
		}
		return v.WriteScale(r.Scale, r.Old)
	case "table":
		columns, cells, err := v.Table(r.Object)
		return map[string]any{"columns": columns, "cells": cells}, err
	case "bench":
		version := r.version()
		atLeast := time.Duration(r.Millis) * time.Millisecond
		if r.Stage == "compile" {
			return serving.BenchCompile(o.definition(r), version, atLeast)
		}
		return v.Bench(r.Stage, r.Object, atLeast)
	}
	return nil, fmt.Errorf("unknown op %q", r.Op)
}

func reply(id json.RawMessage, value any) []byte {
	body := serving.MustJSON(value)
	if id == nil {
		return body
	}
	out := append([]byte(`{"id":`), id...)
	if string(body) != "{}" {
		out = append(out, ',')
	}
	return append(out, body[1:]...)
}

func main() {
	jobs := flag.Int("jobs", runtime.NumCPU(), "requests that run side by side")
	flag.Parse()
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	debug.SetGCPercent(gcPercent)

	o := &oracle{sessions: map[string]json.RawMessage{}, versions: map[[sha256.Size]byte]*served{}}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	queue := make(chan chan []byte, 4**jobs)
	slots := make(chan struct{}, *jobs)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for answer := range queue {
			if _, err := out.Write(append(<-answer, '\n')); err != nil {
				log.Fatal(err)
			}
			if len(queue) == 0 {
				if err := out.Flush(); err != nil {
					log.Fatal(err)
				}
			}
		}
		_ = out.Flush()
	}()
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			answer := make(chan []byte, 1)
			queue <- answer
			var head struct{ Op string }
			_ = json.Unmarshal(line, &head)
			if head.Op == "session" || head.Op == "bench" {
				// What follows may use the session, and nothing may disturb a measurement.
				for range *jobs {
					slots <- struct{}{}
				}
				answer <- o.answer(line)
				for range *jobs {
					<-slots
				}
			} else {
				slots <- struct{}{}
				go func() {
					defer func() { <-slots }()
					answer <- o.answer(line)
				}()
			}
		}
		if err != nil {
			break
		}
	}
	close(queue)
	<-done
}
