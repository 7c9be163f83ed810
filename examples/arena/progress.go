package main

import (
	"fmt"
	"os"
	"time"
)

// A progress shows how a match stands: one line that is rewritten on a terminal,
// a line now and then elsewhere.
type progress struct {
	m        *match
	report   *report
	file     *os.File
	terminal bool
	start    time.Time
	played   int // since start
	shown    time.Time
}

func newProgress(m *match, file *os.File) *progress {
	p := &progress{m: m, report: newReport(m, m.results()), file: file, start: time.Now(), shown: time.Now()}
	if info, err := file.Stat(); err == nil {
		p.terminal = info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

// finished takes note of a game.
func (p *progress) finished(g *gameRecord) {
	p.report.add(g)
	p.played++
	switch g.Reason {
	case reasonTime, reasonIllegal, reasonCrash, reasonStuck:
		p.note(describeLoss(g))
	}
	switch {
	case p.terminal:
		fmt.Fprintf(p.file, "\r\x1b[K%s", p.line())
	case time.Since(p.shown) >= 10*time.Second:
		p.shown = time.Now()
		fmt.Fprintln(p.file, p.line())
	}
}

// note prints a line that stays.
func (p *progress) note(text string) {
	if p.terminal {
		fmt.Fprint(p.file, "\r\x1b[K")
	}
	fmt.Fprintln(p.file, text)
}

// end leaves the line.
func (p *progress) end() {
	if p.terminal && p.played > 0 {
		fmt.Fprintln(p.file)
	}
}

func (p *progress) line() string {
	m := p.m
	played := 0
	for i := range p.report.against {
		played += p.report.against[i].games()
	}
	left := len(m.fixtures) - played
	each := time.Since(p.start) / time.Duration(max(p.played, 1))
	s := fmt.Sprintf("game %d/%d", played, len(m.fixtures))
	if len(m.specs) == 2 {
		t := &p.report.against[0]
		e := estimateElo(t.pairs)
		s += fmt.Sprintf("  %s %v  Elo %s [%s, %s]", m.specs[0].name, t, formatElo(e.elo), formatElo(e.low), formatElo(e.high))
		if m.test != nil {
			lower, upper := m.test.bounds()
			s += fmt.Sprintf("  LLR %.2f [%.2f, %.2f]", m.test.llr(m.pairs.floats()), lower, upper)
		}
	}
	return s + fmt.Sprintf("  %.1f games/min, at most %v to go", float64(time.Minute)/float64(max(each, 1)), (each*time.Duration(left)).Round(time.Second))
}
