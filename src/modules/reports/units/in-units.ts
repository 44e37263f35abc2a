import type { Report, ShownEntry, ValueThen } from '../schema.ts'
import { convertEntry } from './convert-entry.ts'
import { lacksFactor, type UnitSystem, unitIn, unitSystems } from './systems.ts'

/** How a value came into the unit that it is shown in. */
export interface Conversion {
  id: string
  label: string
  simpleLabel: string
  /** The unit of the report and the one shown, for people. */
  from: string
  to: string
  factor: number
  offset: number
}

export interface ShownUnits {
  system: UnitSystem
  /** What is shown in another unit than the report's. */
  converted: Conversion[]
  /** What stays in the report's unit since no factor is known. */
  unconverted: Pick<ShownEntry, 'id' | 'label' | 'simpleLabel' | 'displayUnit'>[]
  /** Whether another choice would show anything else. */
  isChoice: boolean
}

/** A report in the units of a system: values, limits and histories. Verdicts and scores stay what they are. */
export function inUnits(report: Report, system: UnitSystem): { report: Report; units: ShownUnits } {
  const { biomarker: all, details } = report
  const changed = all.flatMap((entry) => {
    const other = unitIn(system, entry, all)
    return other ? [{ entry, other, made: convertEntry(entry, other) }] : []
  })
  const byId = new Map(changed.map((one) => [one.entry.id, one.made]))
  const then = (id: string, value: ValueThen | undefined) => (value && byId.get(id)?.inOther(value)) ?? value
  const changes = details.changes?.map(({ before, after, ...rest }) => {
    const [was, is] = [then(rest.biomarker, before), then(rest.biomarker, after)]
    return { ...rest, ...(was && { before: was }), ...(is && { after: is }) }
  })
  const targets = unitSystems.map((one) => all.map((entry) => unitIn(one, entry, all)?.unit).join())
  return {
    report: {
      ...report,
      biomarker: all.map((entry) => byId.get(entry.id)?.entry ?? entry),
      details: { ...details, ...(changes && { changes }) },
    },
    units: {
      system,
      converted: changed.map(
        ({ entry: { id, label, simpleLabel, displayUnit: from }, other: { unit: to, factor, offset } }) => ({
          id,
          label,
          simpleLabel,
          from,
          to,
          factor,
          offset,
        }),
      ),
      unconverted: all
        .filter((entry) => !byId.has(entry.id) && lacksFactor(system, entry))
        .map(({ id, label, simpleLabel, displayUnit }) => ({ id, label, simpleLabel, displayUnit })),
      isChoice: new Set(targets).size > 1,
    },
  }
}
