// Package ring keeps the last few of many values.
package ring

import (
	"errors"
	"fmt"
	"sync"
)

// ErrEmpty is returned when there is nothing to take.
var ErrEmpty = errors.New("ring: empty")

const (
	small = 8
	large = 1 << 10
)

// names of the sizes, for messages.
var names = map[int]string{
	1:    "one",
	2:    "two",
	4:    "four",
	8:    "eight",
	16:   "sixteen",
	32:   "many",
	64:   "many",
	128:  "very many",
	256:  "very many",
	512:  "very many",
	1024: "too many",
	2048: "too many",
	4096: "too many",
}

// Number is anything that can be added up.
type Number interface {
	~int | ~int64 | ~float64
}

// Ring holds values of one type.
type Ring[T Number] struct {
	mu     sync.Mutex
	values []T
	next   int // where the next value goes
}

type (
	// Option changes a ring while it is made.
	Option[T Number] func(*Ring[T])

	pair struct{ a, b int }
)

// New makes a ring.
func New[T Number](size int, options ...Option[T]) *Ring[T] {
	if size <= 0 {
		size = small
	}
	ring := &Ring[T]{values: make([]T, 0, size)}
	for _, option := range options {
		option(ring)
	}
	return ring
}

// Push adds a value and forgets the oldest if there is no room.
func (r *Ring[T]) Push(value T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.values) < cap(r.values) {
		r.values = append(r.values, value)
		return
	}
	r.values[r.next] = value
	r.next = (r.next + 1) % cap(r.values)
}

func (r *Ring[T]) Len() int { return len(r.values) }

// Sum adds all values up.
func (r *Ring[T]) Sum() (sum T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("ring: %v", r)
		}
	}()
	if len(r.values) == 0 {
		return sum, ErrEmpty
	}
	for _, value := range r.values {
		sum += value
	}
	return sum, nil
}

var describe = func(size int) string {
	name, ok := names[size]
	if !ok {
		name = fmt.Sprintf(`%d
values`, size)
	}
	return name
}

func init() {
	names[0] = "none"
}
