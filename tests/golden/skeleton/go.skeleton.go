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
	// ... (10 lines)
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
	// ... (8 lines)
}

// Push adds a value and forgets the oldest if there is no room.
func (r *Ring[T]) Push(value T) {
	// ... (8 lines)
}

func (r *Ring[T]) Len() int { return len(r.values) }

// Sum adds all values up.
func (r *Ring[T]) Sum() (sum T, err error) {
	// ... (12 lines)
}

var describe = func(size int) string {
	// ... (6 lines)
}

func init() {
	names[0] = "none"
}
