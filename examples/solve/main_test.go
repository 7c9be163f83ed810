package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gomoku-go/gomoku"
)

// solve runs the program.
func solve(t *testing.T, stdin string, args ...string) (out string, err error) {
	t.Helper()
	var stdout, stderr strings.Builder
	err = run(t.Context(), args, strings.NewReader(stdin), &stdout, &stderr)
	return stdout.String() + stderr.String(), err
}

const drawing = `
. . . . . . . . .
. . . . x x . . .
. . . x . . . . .
. . . x . . . . .
. . . x . . . . .
. . . o . . . . .
. . . o . o . . .
. . . . . . . . .
. . . . . . o . .
`

func TestSolvePosition(t *testing.T) {
	out, err := solve(t, drawing, "-color", "black", "-")
	require.NoError(t, err)
	assert.Contains(t, out, "black wins in 2 moves")
	assert.Contains(t, out, "line: ")

	out, err = solve(t, "", "-kind", "vcf", "h8i9")
	require.ErrorIs(t, err, errUnsolved)
	assert.Contains(t, out, "black has no such win")

	out, err = solve(t, drawing, "-color", "black", "-all", "-shortest", "-")
	require.NoError(t, err)
	assert.Contains(t, out, "wins: ")
}

func TestSolveFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"proof.sgf", "proof.json", "proof.svg"} {
		file := filepath.Join(dir, name)
		_, err := solve(t, drawing, "-color", "black", "-o", file, "-")
		require.NoError(t, err)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		switch filepath.Ext(name) {
		case ".json":
			var p gomoku.Proof
			require.NoError(t, json.Unmarshal(text, &p))
			b, err := gomoku.ParseDrawing(gomoku.Freestyle, drawing)
			require.NoError(t, err)
			assert.NoError(t, p.Verify(b))
		case ".sgf":
			out, err := solve(t, "", "-kind", "vcf", "-time", "1s", file) // the end of the main line
			assert.True(t, err == nil || strings.Contains(out, "white"), out)
			assert.Contains(t, string(text), "can't be stopped")
		case ".svg":
			assert.Contains(t, string(text), "black wins in 2 moves")
		}
	}
}

func TestSolveDefences(t *testing.T) {
	out, err := solve(t, drawing, "-defences", "-color", "black", "-")
	require.NoError(t, err)
	assert.Contains(t, out, "stopped by: ")
	_, err = solve(t, "", "-defences", "h8i9")
	assert.ErrorIs(t, err, errUnsolved)
}

func TestSolvePuzzles(t *testing.T) {
	out, err := solve(t, "", "-puzzles", "../../testdata/vcf_puzzles.jsonl")
	require.NoError(t, err)
	assert.Contains(t, out, "vcf renju proven                27      87")
	assert.Contains(t, out, "30 of 30 as expected, every proof verified")

	file := filepath.Join(t.TempDir(), "games.moves")
	require.NoError(t, os.WriteFile(file, []byte("h8a1i8b1j8c1\nh8i9\n"), 0o600))
	out, err = solve(t, "", "-puzzles", "-repeat", "2", file)
	require.ErrorIs(t, err, errUnsolved)
	assert.Contains(t, out, "game 2: no win found")
	assert.Contains(t, out, "1 of 2 as expected")

	for text, fault := range map[string]string{
		`{"id": "a", "rule": "renju", "size": 15, "black": "h8", "white": "h8", "to_move": "black"}`: "two stones at h8",
		`{"id": "a", "rule": "renju", "size": 3, "to_move": "black"}`:                                "size is not 5 to 22",
		`{"id": "a", "rule": "go", "to_move": "black"}`:                                              "rule",
		``: "no puzzles",
	} {
		require.NoError(t, os.WriteFile(file+"l", []byte(text), 0o600))
		_, err := solve(t, "", "-puzzles", file+"l")
		assert.ErrorContains(t, err, fault)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var done strings.Builder // a five needs no search
	err = run(ctx, []string{"-puzzles", "../../testdata/vcf_puzzles.jsonl"}, nil, &done, new(strings.Builder))
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorContains(t, err, "1 of 30 puzzles done")
	assert.Contains(t, done.String(), "1 of 1 as expected")
}

func TestSolveFaults(t *testing.T) {
	for args, fault := range map[string]string{
		"":                       "one position or file is needed",
		"-kind vcx h8":           "neither vcf nor vct",
		"-color red h8":          "neither black nor white",
		"-o proof.txt h8":        "not .sgf, .json or .svg",
		"-ban z99 h8":            "-ban",
		"-jobs 0 h8":             "at least 1",
		"-puzzles -o x.sgf file": "neither -defences nor -o",
		"h8h8":                   "occupied",
		"-moves -1 h8":           "moves -1 is negative",
		"-memory -1 h8":          "-memory -1 is not 0 to",
		"-memory 9999999999 h8":  "-memory 9999999999 is not 0 to",
		"-defences -o x.sgf h8":  "neither -kind vct nor -o",
		"../solve":               "not a regular file",
	} {
		_, err := solve(t, "", strings.Fields(args)...)
		require.ErrorContains(t, err, fault, args)
		assert.NotErrorIs(t, err, errUnsolved)
	}
}
