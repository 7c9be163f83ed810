package main

// glyphs is a font of strokes, enough for what a board shows: digits, letters and
// a few signs. Each stroke is a kind and points on a grid: "-" joins them by
// straight lines, "~" bends around the inner ones, "o" is a closed curve. A point
// is a column, 0 to 4, and a row: 0 the base line, 4 the height of small letters,
// 6 that of large ones, a and b one and two below the base line.
var glyphs = map[rune][]string{
	'0': {"o00064640"},
	'1': {"-152620"},
	'2': {"~0406464300", "-0040"},
	'3': {"~0506464313", "~1343400001"},
	'4': {"-30360242"},
	'5': {"-460603", "~031444400001"},
	'6': {"~45460602", "o00044440"},
	'7': {"-064610"},
	'8': {"o03064643", "o00034340"},
	'9': {"o02064642", "~44400001"},
	'a': {"o00044440", "-4440"},
	'b': {"-0600", "o00044440"},
	'c': {"~434404004041"},
	'd': {"o00044440", "-4640"},
	'e': {"-0242", "~424404004041"},
	'f': {"~462624", "-2420", "-0444"},
	'g': {"o00044440", "~444b0b0a"},
	'h': {"-0600", "~02044442", "-4240"},
	'i': {"-2420", "-2626"},
	'j': {"~242b0b", "-2626"},
	'k': {"-0600", "-0244", "-1240"},
	'l': {"-2620"},
	'm': {"-0400", "~02042422", "-2220", "~22244442", "-4240"},
	'n': {"-0400", "~02044442", "-4240"},
	'o': {"o00044440"},
	'p': {"-040b", "o00044440"},
	'q': {"o00044440", "-444b"},
	'r': {"-0400", "~020434"},
	's': {"~4344040242400001"},
	't': {"-1612", "~121030", "-0434"},
	'u': {"-0402", "~02004042", "-4440"},
	'v': {"-042044"},
	'w': {"-0410243044"},
	'x': {"-0440", "-0044"},
	'y': {"-0420", "-441b"},
	'z': {"-04440040"},
	'A': {"-002640", "-1232"},
	'B': {"-0600", "~06464303", "~03434000"},
	'C': {"~454606004041"},
	'D': {"-0600", "~06464000"},
	'E': {"-46060040", "-0333"},
	'F': {"-460600", "-0333"},
	'G': {"~454606004042", "-2242"},
	'H': {"-0006", "-4046", "-0343"},
	'I': {"-2026"},
	'J': {"~46400001"},
	'K': {"-0006", "-0246", "-1340"},
	'L': {"-060040"},
	'M': {"-0006234640"},
	'N': {"-00064046"},
	'O': {"o00064640"},
	'P': {"-0006", "~06464303"},
	'Q': {"o00064640", "-2240"},
	'R': {"-0006", "~06464303", "-2340"},
	'S': {"~4546060343400001"},
	'T': {"-0646", "-2620"},
	'U': {"-0602", "~02004042", "-4246"},
	'V': {"-062046"},
	'W': {"-0610243046"},
	'X': {"-0640", "-0046"},
	'Y': {"-062346", "-2320"},
	'Z': {"-06460040"},
	'+': {"-0343", "-2125"},
	'-': {"-0343"},
	'.': {"-2020"},
	':': {"-2020", "-2323"},
	'=': {"-0242", "-0444"},
	'?': {"~0506464322", "-2020"},
	'!': {"-2622", "-2020"},
	'/': {"-0046"},
	'<': {"-440240"},
	'>': {"-044200"},
	'…': {"-0000", "-2020", "-4040"},
	' ': {},
}

// box stands for what the font does not have.
var box = []string{"-0006464000"}

// The measures of the font, as parts of its size.
const (
	glyphColumn = 0.085 // of the grid
	glyphRow    = 0.12
	glyphGap    = 0.2 // between letters
	glyphStroke = 0.09
	glyphBold   = 0.15
)

// textStrokes returns the strokes of a text of the given size that stands on y
// with its middle at x, and how many of its letters the font does not have.
func textStrokes(text string, x, y, size float64) (strokes []polyline, missing int) {
	runes := []rune(text)
	advance := (4*glyphColumn + glyphGap) * size
	left := x - (advance*float64(len(runes))-glyphGap*size)/2
	for i, r := range runes {
		glyph, ok := glyphs[r]
		if !ok {
			glyph = box
			missing++
		}
		for _, s := range glyph {
			var line polyline
			for j := 1; j+1 < len(s); j += 2 {
				row := float64(int(s[j+1]) - '0')
				if s[j+1] >= 'a' {
					row = -float64(int(s[j+1]) - 'a' + 1)
				}
				line.points = append(line.points, point{
					left + advance*float64(i) + float64(s[j]-'0')*glyphColumn*size, y - row*glyphRow*size,
				})
			}
			line.closed = s[0] == 'o'
			if s[0] != '-' {
				line = line.smooth().smooth().smooth()
			}
			strokes = append(strokes, line)
		}
	}
	return strokes, missing
}
