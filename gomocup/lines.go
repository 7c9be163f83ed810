package gomocup

import (
	"bufio"
	"io"
)

// maxLine is how much of a line is kept. The protocol lets both sides cut what
// is longer; no command comes near.
const maxLine = 4096

// byteOrderMark is what some programs for Windows write before any text.
const byteOrderMark = "\xef\xbb\xbf"

// lineReader reads lines that end with CR, LF or both. It skips empty lines and
// a byte order mark at the start, and cuts long ones.
type lineReader struct {
	r    *bufio.Reader
	buf  []byte
	head int // bytes read so far, up to the length of a byte order mark
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReader(r), buf: make([]byte, 0, 128)}
}

// next returns the next line that is not empty. What comes after the last line
// end is a line, too; then the error is that of the reader.
func (l *lineReader) next() (string, error) {
	l.buf = l.buf[:0]
	for {
		c, err := l.r.ReadByte()
		switch {
		case err != nil && len(l.buf) > 0:
			return string(l.buf), nil // the error will be back
		case err != nil:
			return "", err
		case c != '\r' && c != '\n':
			if len(l.buf) < maxLine {
				l.buf = append(l.buf, c)
			}
			if l.head < len(byteOrderMark) {
				if l.head++; string(l.buf) == byteOrderMark {
					l.buf = l.buf[:0]
				}
			}
		case len(l.buf) > 0:
			return string(l.buf), nil
		}
	}
}
