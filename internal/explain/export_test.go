package explain

// Formula is the formula of a stage in LaTeX.
func Formula(stage string) string { return formulas[stage] }
