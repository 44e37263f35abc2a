import { exact, isPlausible } from '@kitlane/lab-reader/facts/rules'
import type { FormulaName } from '@kitlane/lab-reader/facts/schema'
import type { Biomarker } from '../../catalogue/schema.ts'
import { formulas, type Subject } from './formulas.ts'

export interface DerivedResult {
  biomarkerId: string
  value: number
  unit: string
  inputs: string[]
}

/**
 * What can be computed from `measured` (id to value, in the biomarker's unit) and is not in it, each with the ids
 * it came from, not rounded. A result of one formula may feed another (LDL, then LDL:HDL). Left out where an input is missing,
 * the formula does not hold, or the result is implausible. Measured values always win; censored ones must not be given.
 */
export function deriveResults(
  catalogue: readonly Biomarker[],
  measured: ReadonlyMap<string, number>,
  subject: Subject,
): DerivedResult[] {
  const values = new Map(measured)
  const results: DerivedResult[] = []
  const waiting = new Set(catalogue.filter(({ id, derived }) => derived && !measured.has(id)))
  for (let before = -1; before !== results.length; ) {
    before = results.length
    for (const biomarker of waiting) {
      const result = deriveResult(biomarker, values, subject)
      if (!result) continue
      values.set(result.biomarkerId, result.value)
      results.push(result)
      waiting.delete(biomarker)
    }
  }
  return results
}

function deriveResult(
  biomarker: Biomarker,
  values: ReadonlyMap<string, number>,
  subject: Subject,
): DerivedResult | undefined {
  const { id, derived, unit } = biomarker
  if (!derived) return undefined
  const used = derived.inputs.filter((input) => values.has(input))
  const missing = derived.inputs.filter((input) => !values.has(input) && !hasDefault(derived.formula, input))
  if (missing.length > 0) return undefined
  const raw = formulas[derived.formula](
    used.flatMap((input) => values.get(input) ?? []),
    subject,
  )
  if (raw === undefined || !Number.isFinite(raw)) return undefined
  const value = exact(raw)
  return isPlausible(biomarker, value) ? { biomarkerId: id, value, unit, inputs: used } : undefined
}

/** Vermeulen takes 4.3 g/dL where albumin, its last input, was not measured. */
function hasDefault(formula: FormulaName, input: string): boolean {
  return formula === 'vermeulen' && input === 'albumin'
}
