// Package gomoku plays gomoku.
package gomoku
