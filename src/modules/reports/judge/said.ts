import type { Phase } from '@kitlane/lab-reader/facts/schema'
import { distinctPhases } from '@kitlane/lab-reader/parse/sample-words'
import type { Biomarker } from '../../catalogue/schema.ts'
import type { SaidFact } from '../said-schema.ts'
import type { BiomarkerEntry } from '../schema.ts'
import { fastingFormulas } from './formulas.ts'

/** What is known of a sample beside its values. */
export interface SampleFacts {
  fasting?: boolean
  phases?: Phase[]
  pregnant?: boolean
}

const names: readonly SaidFact[] = ['fasting', 'phases', 'pregnant']

/** A result as it came, or an entry of a report. */
interface Stated {
  fasting?: boolean | BiomarkerEntry['fasting'] | undefined
  phases?: Phase[] | undefined
  pregnant?: boolean | undefined
  saidByPerson?: SaidFact[] | undefined
}

/** Without what the person said. */
const ofLaboratory = ({ saidByPerson = [], ...one }: Stated): Stated =>
  Object.fromEntries(Object.entries(one).filter(([name]) => !(saidByPerson as string[]).includes(name)))

/** What the laboratory says of a sample, with any of its results; a denial of fasting counts first. */
export function saidByLaboratory(all: readonly Stated[]): SampleFacts {
  const own = all.map(ofLaboratory)
  const fasting = own.flatMap((one) => (one.fasting === undefined || one.fasting === 'notStated' ? [] : one.fasting))
  const pregnant = own.flatMap((one) => one.pregnant ?? [])
  const phases = distinctPhases(own.flatMap((one) => one.phases ?? []))
  return {
    ...(fasting.length > 0 && { fasting: !fasting.includes(false) && !fasting.includes('no') }),
    ...(phases.length > 0 && { phases }),
    ...(pregnant.length > 0 && { pregnant: pregnant.includes(true) }),
  }
}

/** Of the facts of a sample those that count: the laboratory's, and the person's where the laboratory says nothing. */
export interface CountingFacts {
  laboratory: SampleFacts
  person: SampleFacts
}

/** `instead`: a fact of which the person's word counts, to see what it would change. */
export function countingFacts(laboratory: SampleFacts, person: SampleFacts, instead?: SaidFact): CountingFacts {
  const isPersons = (name: SaidFact) =>
    person[name] !== undefined && (laboratory[name] === undefined || name === instead)
  const only = (facts: SampleFacts, wanted: (name: SaidFact) => boolean): SampleFacts =>
    Object.fromEntries(
      names.flatMap((name) => (facts[name] !== undefined && wanted(name) ? [[name, facts[name]]] : [])),
    )
  return { laboratory: only(laboratory, (name) => name !== instead), person: only(person, isPersons) }
}

/** Facts of which laboratory and person say different things. */
export const contradicted = (laboratory: SampleFacts, person: SampleFacts): SaidFact[] =>
  names.filter((name) => {
    const [one, other] = [laboratory[name], person[name]]
    if (one === undefined || other === undefined) return false
    return Array.isArray(one) && Array.isArray(other) ? !other.every((phase) => one.includes(phase)) : one !== other
  })

/** What the person said that matters for a biomarker. */
function relevant({ flags, phases, derived }: Biomarker, { person }: CountingFacts): SaidFact[] {
  const matters = {
    fasting: flags.includes('fasting_required') || (derived !== undefined && fastingFormulas.includes(derived.formula)),
    phases: phases !== undefined,
    pregnant: person.pregnant === true,
  }
  return names.filter((name) => person[name] !== undefined && matters[name])
}

/** A result, or an entry of before, with the facts that count. `say` writes whether the sample was taken fasting. */
export function withFacts<T extends Stated>(
  biomarker: Biomarker,
  one: T,
  counting: CountingFacts,
  say: (isFasting: boolean | undefined) => T['fasting'],
): T {
  const { laboratory, person } = counting
  const said = relevant(biomarker, counting)
  const { fasting: stated, pregnant, phases: _, ...rest } = ofLaboratory(one)
  const own = person.fasting === undefined ? stated : undefined
  const fasting = said.includes('fasting') ? say(person.fasting) : (own ?? say(undefined))
  // That somebody is not pregnant matters for no verdict: only a laboratory's word of it is kept.
  const isPregnant = person.pregnant === undefined ? pregnant : person.pregnant || undefined
  const phases = said.includes('phases') ? person.phases : laboratory.phases
  return {
    ...rest,
    ...(fasting !== undefined && { fasting }),
    ...(isPregnant !== undefined && { pregnant: isPregnant }),
    ...(phases && { phases }),
    ...(said.length > 0 && { saidByPerson: said }),
  } as unknown as T
}
