//go:build race

package gomoku

// raceEnabled lets the longest tests do less under the race detector.
const raceEnabled = true
