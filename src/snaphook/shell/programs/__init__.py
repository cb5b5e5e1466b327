"""What programs do: for each, the options it takes and the deeds that follow from its words."""
