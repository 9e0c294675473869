package vectors

// First gives the vectors of the first n documents, as if there were no more. It
// shares them with s, and like s must not be used beside Put.
func (s *Set) First(n int) *Set {
	if n >= s.docs {
		return s
	}
	out := *s
	out.docs, out.held = max(0, n), 0
	for i := range out.docs {
		if out.Has(i) {
			out.held++
		}
	}
	return &out
}
