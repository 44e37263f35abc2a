import fc from 'fast-check'
import { databaseIsSlow } from './patience.ts'

// SEED is what the merge gate sets: the same sources are tried with the same cases, here and there. Without it each run draws others.
const { SEED } = process.env
fc.configureGlobal(SEED ? { seed: Number(SEED) } : {})

databaseIsSlow(true)
