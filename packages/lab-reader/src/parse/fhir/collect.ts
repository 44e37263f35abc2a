import { biomarkers } from '../../facts/biomarkers.ts'
import { exactLoinc } from '../../facts/match.ts'
import type { Doubt, ResultStatus } from '../parsed.ts'
import { A_DOCUMENT, cleaned } from '../text.ts'
import type { Library } from './library.ts'
import { hasValue, statusOf, wordsOf } from './observation.ts'
import type { ObservationResource, Reference, ReportResource, Resource } from './resource.ts'

/** Vital signs that a note names, and the letters of each. */
const MOST_NAMED = 10
const MOST_OF_NAME = 60

/** A withdrawn result counts: it may have been reported before. */
export const takenBack: readonly ResultStatus[] = ['cancelled', 'entered-in-error']

export interface Group {
  report?: ReportResource
  owner: Resource
  members: ObservationResource[]
  /** What is said of a panel as a whole. */
  notes: string[]
  /** The laboratory withdraws the whole report. */
  withdrawn?: ResultStatus
  /** Why nothing of it counts: the status of the report is not known, or something changes what it means. */
  doubt?: Doubt
}

/** The results of a file by their reports; those of none stand alone. */
export function collect(library: Library): {
  groups: Group[]
  notes: string[]
  leftOut: number
  /** References to results that are not in the file and say no name. */
  dangling: number
  /** What the others call them. */
  absent: string[]
} {
  completeWithdrawals(library)
  const absent: string[] = []
  const notes: string[] = []
  const used = new Set<ObservationResource>()
  let dangling = 0
  const lack = (display: string | undefined) => {
    const name = cleaned(display, 200)
    if (name === undefined) dangling++
    else absent.push(name)
  }
  const take = (resource: ObservationResource, into: ObservationResource[], on: string[]) => {
    if (used.has(resource)) return
    used.add(resource)
    for (const to of resource.hasMember ?? []) {
      const { reference, display } = to
      const member = library.follow(to, resource)
      // What is taken back of a panel is taken back of its members.
      if (member?.resourceType === 'Observation' && takenBack.includes(statusOf(resource.status)))
        member.status = resource.status
      if (member?.resourceType === 'Observation') take(member, into, on)
      else if (!member && isOfResult(reference)) lack(display)
    }
    const status = statusOf(resource.status)
    if (takenBack.includes(status)) {
      notes.push(`A result with the status ${nameOf(resource.status)} was taken back`)
      into.push(resource)
    } else if (!resource.hasMember?.length || holdsValue(resource)) into.push(resource)
    if (resource.hasMember?.length) on.push(...(resource.note ?? []).flatMap(({ text }) => text ?? []))
  }
  const groups: Group[] = library.list('DiagnosticReport').flatMap((report): Group[] => {
    const status = statusOf(report.status)
    const { found, lacking } = membersOf(report, library)
    if (takenBack.includes(status)) {
      for (const one of found) used.add(one)
      notes.push(`A report with the status ${nameOf(report.status)} was taken back`)
      return [{ report, owner: report, members: found, notes: [], withdrawn: status }]
    }
    const missing = lacking.length
    if (missing > 0)
      notes.push(`${missing} ${missing === 1 ? 'result is' : 'results are'} only referred to and not in the file`)
    for (const { display } of lacking) lack(display)
    const members: ObservationResource[] = []
    const said: string[] = []
    for (const one of found) take(one, members, said)
    const documents = report.presentedForm?.length ?? 0
    if (documents > 0) notes.push('A report is also sent as a document, which was not read')
    if (members.length === 0)
      return documents > 0 ? [{ report, owner: report, members: [documentOf(report)], notes: said }] : []
    const doubt = doubtOf(report, status)
    return [{ report, owner: report, members, notes: said, ...(doubt && { doubt }) }]
  })
  const others: ObservationResource[] = []
  // A panel before its members, wherever it stands: what is said of it is said of them.
  const all = library.list('Observation')
  const isMember = (one: ObservationResource) => library.panelsOf(one).some((panel) => panel !== one)
  for (const one of [...all.filter((one) => !isMember(one)), ...all.filter(isMember)]) {
    if (used.has(one)) continue
    if (!isLaboratory(one)) others.push(one)
    else {
      const members: ObservationResource[] = []
      const said: string[] = []
      take(one, members, said)
      if (members.length > 0) groups.push({ owner: one, members, notes: said })
    }
  }
  const [category] = others.flatMap((one) => categoriesOf(one.category).filter((code) => elsewhere.test(code)))
  if (category) {
    const [observations, were] = others.length === 1 ? ['observation', 'was'] : ['observations', 'were']
    const named = others
      .filter((one) => categoriesOf(one.category).includes('vital-signs'))
      .flatMap(({ code, component = [] }) => (component.length > 0 ? component : [{ code }]).map((one) => one.code))
      .flatMap((code) => cleaned(wordsOf(code), MOST_OF_NAME) ?? [])
    notes.push(
      `${others.length} ${observations} that no laboratory made, such as vital signs, ${were} left out: the category is ${category}, and no code is one of a laboratory that the catalogue knows${named.length > 0 ? `: ${[...new Set(named)].slice(0, MOST_NAMED).join(', ')}` : ''}`,
    )
  }
  return { groups, notes, leftOut: others.length, dangling, absent }
}

/** What takes a result back may say neither person nor day: those of another version, or of the only result of its name. */
function completeWithdrawals(library: Library): void {
  const all = library.list('Observation')
  const numbersOf = ({ identifier = [] }: ObservationResource) => identifier.flatMap(({ value }) => value ?? [])
  const hasDay = (one: ObservationResource) =>
    Boolean(one.effectiveDateTime ?? one.effectiveInstant ?? one.effectivePeriod ?? one.specimen)
  const dated = all.filter(hasDay)
  for (const one of all) {
    if (!takenBack.includes(statusOf(one.status)) || (hasDay(one) && one.subject)) continue
    const others = dated.filter((other) => other !== one)
    const named = others.filter(
      ({ code, subject }) =>
        wordsOf(code) === wordsOf(one.code) && (!one.subject || subject?.reference === one.subject.reference),
    )
    const version =
      others.find(({ id }) => id !== undefined && id === one.id) ??
      others.find((other) => numbersOf(other).some((number) => numbersOf(one).includes(number))) ??
      (named.length === 1 ? named[0] : undefined)
    if (!version) continue
    const { subject, effectiveDateTime, effectiveInstant, effectivePeriod, specimen } = version
    const day = hasDay(one) ? {} : { effectiveDateTime, effectiveInstant, effectivePeriod, specimen }
    Object.assign(one, day, !one.subject && { subject })
  }
}

function doubtOf({ modifierExtension = [], implicitRules }: ReportResource, status: ResultStatus): Doubt | undefined {
  if (modifierExtension.length > 0 || implicitRules !== undefined) return 'contradicted'
  return status === 'not-done' ? 'unknownStatus' : undefined
}

/** A report that is nothing but a document waits for a person to open it. */
const documentOf = ({ code, status }: ReportResource): ObservationResource => ({
  resourceType: 'Observation',
  status,
  ...(code && { code }),
  valueString: A_DOCUMENT,
})

/** Members may also be answers to questions, which are no results. */
const isOfResult = (reference = '') => !/(^|\/)(QuestionnaireResponse|MolecularSequence)\//.test(reference)

const nameOf = (status: string) => (/^[a-z-]{1,30}$/.test(status) ? status : 'unknown')
const holdsValue = (one: ObservationResource) => hasValue(one) || (one.component?.length ?? 0) > 0

function membersOf(report: ReportResource, library: Library): { found: ObservationResource[]; lacking: Reference[] } {
  const references = report.result ?? []
  const read = references.map((to) => ({ to, one: library.follow(to, report) }))
  const found = read.flatMap(({ one }) => (one?.resourceType === 'Observation' ? [one] : []))
  return { found, lacking: read.flatMap(({ to, one }) => (one?.resourceType === 'Observation' ? [] : [to])) }
}

/** Categories of FHIR for what no laboratory measures. */
const elsewhere = /^(social-history|vital-signs|imaging|procedure|survey|exam|therapy|activity|sdoh)$/i

/** As LOINC names what is measured in a sample; blood pressure, weight and saturation at the finger have no such name. */
const inSample =
  /\[(?:Presence|Identifier|Titer|[^\]]*\/(?:volume|mass|time))[^\]]*\] in |\b(?:RNA|DNA|Ab|Ag|IgE|NAA)\b/

/** Any other category, such as that of a department, and none: the name decides. Against a laboratory's code or name none counts. */
function isLaboratory({ category, code }: ObservationResource): boolean {
  const codes = categoriesOf(category)
  if (codes.length === 0 || !codes.every((one) => elsewhere.test(one))) return true
  return (code?.coding ?? []).some(
    ({ code, display = '' }) =>
      inSample.test(display) || (code !== undefined && exactLoinc(biomarkers, code) !== undefined),
  )
}

const categoriesOf = (category: ObservationResource['category']) =>
  (category ?? []).flatMap(({ coding }) => (coding ?? []).map(({ code }) => code ?? ''))
