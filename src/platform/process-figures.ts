import { Registry } from 'prom-client'

/** Figures of this process that stand beside what they count, as values of their modules. `/metrics` shows them. */
export const processFigures = new Registry()
