import fc from 'fast-check'

// SEED is what the merge gate sets: the same sources are tried with the same cases, here and there. Without it each run draws others.
const { SEED } = process.env
fc.configureGlobal(SEED ? { seed: Number(SEED) } : {})
