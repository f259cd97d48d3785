package serving

import (
	"context"
	"fmt"
	"syscall"
	"time"

	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// Timing is the mean of one repetition.
type Timing struct {
	// Nanos is on the clock.
	Nanos float64 `json:"nanos"`
	// CPUNanos is what all threads of the process used, the garbage collector's included.
	CPUNanos float64 `json:"cpuNanos"`
}

// BenchCompile repeats Serve.
func BenchCompile(definition []byte, version string, atLeast time.Duration) (Timing, error) {
	return measure(atLeast, func() error {
		_, err := Serve(definition, version)
		return err
	})
}

// Bench repeats a stage of creating an object: "write" is all of it, from bytes to the verdict; "rules" evaluates
// the rules over the decoded object. Errors are made and not printed.
func (v *Version) Bench(stage string, data []byte, atLeast time.Duration) (Timing, error) {
	ctx := context.Background()
	switch stage {
	case "write":
		return measure(atLeast, func() error {
			u, _, err := v.Decode(data)
			if err != nil {
				return nil // a verdict
			}
			v.strategy.PrepareForCreate(ctx, u)
			v.strategy.Validate(ctx, u)
			v.strategy.WarningsOnCreate(ctx, u)
			return nil
		})
	case "rules":
		u, _, err := v.Decode(data)
		if err != nil {
			return Timing{}, err
		}
		rules := v.celCost()
		if rules == nil {
			return Timing{}, fmt.Errorf("the definition has no rules")
		}
		return measure(atLeast, func() error {
			rules.Validate(ctx, nil, v.structural, u.Object, nil, celconfig.RuntimeCELCostBudget)
			return nil
		})
	}
	return Timing{}, fmt.Errorf("unknown stage %q", stage)
}

// measure repeats until a batch takes long enough, so that reading clocks costs nothing.
func measure(atLeast time.Duration, repeat func() error) (Timing, error) {
	for batch := 1; ; batch *= 2 {
		cpu, err := processTime()
		if err != nil {
			return Timing{}, err
		}
		start := time.Now()
		for range batch {
			if err := repeat(); err != nil {
				return Timing{}, err
			}
		}
		elapsed := time.Since(start)
		if elapsed < atLeast {
			continue
		}
		end, err := processTime()
		if err != nil {
			return Timing{}, err
		}
		n := float64(batch)
		return Timing{Nanos: float64(elapsed.Nanoseconds()) / n, CPUNanos: float64(end-cpu) / n}, nil
	}
}

// processTime is the CPU time of this process, in nanoseconds.
func processTime() (int64, error) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, err
	}
	return usage.Utime.Nano() + usage.Stime.Nano(), nil
}
