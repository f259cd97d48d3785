// Command markers prints, as JSON, what the Go sources of Kubernetes' types say of schemas in comments and what is
// not in the Rust types of k8s-openapi: list types, map types, defaults, and the bounds of Condition.
//
// The answer is an object by the OpenAPI name of each type; a member of it is a field with JSON Schema keywords to
// add, or "" with keywords of the type itself:
//
//	"io.k8s.api.core.v1.PodSpec": {"containers": {"x-kubernetes-list-map-keys":["name"],"x-kubernetes-list-type":"map"}}
//
// The keywords are those that controller-gen makes of the markers. From tests/kube:
//
//	go run ./markers > ../../crd-runtime/src/crd_schema/data/markers.json
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"sort"
	"strconv"
	"strings"
)

type keywords map[string]any

type structType struct {
	of      *ast.StructType
	own     keywords
	imports map[string]string
	pkg     string
}

var structs = map[string]structType{}

func main() {
	for _, module := range []string{"k8s.io/api", "k8s.io/apimachinery"} {
		read(module)
	}
	types := map[string]map[string]keywords{}
	for name, found := range structs {
		fields := map[string]keywords{}
		if len(found.own) > 0 {
			fields[""] = found.own
		}
		collect(found, fields)
		if len(fields) > 0 {
			types[openAPIName(name)] = fields
		}
	}
	names := make([]string, 0, len(types))
	for name := range types {
		names = append(names, name)
	}
	sort.Strings(names)
	// One line a type, so that a change of one is a change of a line.
	fmt.Println("{")
	for i, name := range names {
		line, err := json.Marshal(types[name])
		check(err)
		comma := ","
		if i == len(names)-1 {
			comma = ""
		}
		fmt.Printf("%q: %s%s\n", name, line, comma)
	}
	fmt.Println("}")
}

// read finds the struct types of a module's versioned packages.
func read(module string) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	check(err)
	root := strings.TrimSpace(string(out))
	check(filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, "types.go") {
			return err
		}
		relative, err := filepath.Rel(root, filepath.Dir(file))
		check(err)
		parse(file, path.Join(module, filepath.ToSlash(relative)))
		return nil
	}))
}

func parse(file, pkg string) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	check(err)
	imports := map[string]string{}
	for _, spec := range parsed.Imports {
		full, err := strconv.Unquote(spec.Path.Value)
		check(err)
		name := path.Base(full)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = full
	}
	for _, decl := range parsed.Decls {
		general, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			if spec, ok := spec.(*ast.TypeSpec); ok {
				if of, ok := spec.Type.(*ast.StructType); ok {
					structs[pkg+"."+spec.Name.Name] = structType{of, markers(general.Doc), imports, pkg}
				}
			}
		}
	}
}

// collect adds the fields of a struct, and those of the structs that it inlines.
func collect(of structType, fields map[string]keywords) {
	for _, field := range of.of.Fields.List {
		if field.Tag == nil {
			continue
		}
		tag, err := strconv.Unquote(field.Tag.Value)
		check(err)
		name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if strings.Contains(options, "inline") || (name == "" && len(field.Names) == 0) {
			if inlined, ok := structs[qualified(field.Type, of)]; ok {
				collect(inlined, fields)
			}
			continue
		}
		if found := markers(field.Doc); len(found) > 0 && name != "" && name != "-" {
			fields[name] = found
		}
	}
}

func qualified(expr ast.Expr, in structType) string {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		return qualified(expr.X, in)
	case *ast.Ident:
		return in.pkg + "." + expr.Name
	case *ast.SelectorExpr:
		return in.imports[expr.X.(*ast.Ident).Name] + "." + expr.Sel.Name
	}
	return ""
}

// markers reads the comment of a type or field.
func markers(doc *ast.CommentGroup) keywords {
	found := keywords{}
	if doc == nil {
		return found
	}
	var keys []string
	for _, comment := range doc.List {
		text := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
		if !strings.HasPrefix(text, "+") {
			continue
		}
		key, value, _ := strings.Cut(text[1:], "=")
		switch key {
		case "listType":
			found["x-kubernetes-list-type"] = value
		case "listMapKey":
			keys = append(keys, value)
		case "mapType", "structType":
			found["x-kubernetes-map-type"] = value
		case "default":
			var literal any
			// controller-gen skips references to constants, `+default=ref(..)`, too.
			if json.Unmarshal([]byte(value), &literal) == nil {
				found["default"] = literal
			}
		case "kubebuilder:validation:MaxLength":
			found["maxLength"] = integer(value)
		case "kubebuilder:validation:MinLength":
			found["minLength"] = integer(value)
		case "kubebuilder:validation:Minimum":
			found["minimum"] = integer(value)
		case "kubebuilder:validation:Pattern":
			found["pattern"] = strings.Trim(value, "`")
		case "kubebuilder:validation:Enum":
			found["enum"] = strings.Split(value, ";")
		case "kubebuilder:validation:Format":
			found["format"] = value
		}
	}
	if len(keys) > 0 {
		found["x-kubernetes-list-map-keys"] = keys
	}
	return found
}

func integer(text string) int {
	value, err := strconv.Atoi(text)
	check(err)
	return value
}

// openAPIName is the name of a type in published documents: k8s.io/api/core/v1.Pod is io.k8s.api.core.v1.Pod.
func openAPIName(name string) string {
	return "io.k8s." + strings.ReplaceAll(strings.TrimPrefix(name, "k8s.io/"), "/", ".")
}

func check(err error) {
	if err != nil {
		log.SetFlags(0)
		log.Print(err)
		os.Exit(1)
	}
}
