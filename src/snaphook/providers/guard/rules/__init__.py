"""What the guard objects to: one file for each rule or small family."""
