"""How strong each strategy is, in a sentence for those who choose an opponent."""

STRENGTHS = {
    "constant": "A beginner's habit: stops after so much progress, whatever the columns are.",
    "exact": "Very strong: within a turn it plays as well as its estimate of the rest allows.",
    "hold": "A sound rule of thumb for Pig, which loses a few games in a hundred to the best play.",
    "linear": "Good: weighs columns and squares, with weights that were found by evolution.",
    "model": "Good: stops by a formula for what one more roll is worth on average.",
    "optimal": "Perfect where the game is solved or can be; else the best that the server knows.",
    "random": "The weakest: any move, as likely as any other.",
    "rollout": "Very strong and slow: plays every option out by the thousand before it decides.",
    "ruleof": "Good: the Rule of 28 of human players, which looks at its own turn only.",
}
"""By the name of the strategy."""
