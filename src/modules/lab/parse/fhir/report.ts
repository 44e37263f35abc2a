import { isKitId, normalizeId } from '../../../../domain/ids.ts'
import { isoStart } from '../date.ts'
import { type Commas, commasIn } from '../number.ts'
import type { Observation, ParsedFile, ParsedReport, Patient, ResultStatus } from '../parsed.ts'
import { areSeveralPeople } from '../person.ts'
import { Refusal } from '../refusal.ts'
import { distinct, specimenErrorsIn } from '../specimen-words.ts'
import { overallStatus } from '../status.ts'
import { clean } from '../text.ts'
import { countObservations } from './count.ts'
import { readJson } from './json.ts'
import { Library } from './library.ts'
import { hasValue, printedIn, readObservation, statusOf, wordsOf } from './observation.ts'
import { originIn, saidIn } from './origin.ts'
import { describePatient } from './patient.ts'
import type { ObservationResource, ReportResource, Resource, SpecimenResource } from './resource.ts'

const maxObservations = 20_000
/** A withdrawn result counts: it may have been reported before. */
const takenBack: readonly ResultStatus[] = ['cancelled', 'entered-in-error']

interface Group {
  report?: ReportResource
  owner: Resource
  members: ObservationResource[]
  /** The laboratory withdraws the whole report. */
  withdrawn?: ResultStatus
  /** The status of the report is not known. */
  isUnknown?: boolean
}

/** DiagnosticReports and single Observations of a resource or Bundle; one report per person and day. */
export function parseFhir(bytes: Uint8Array): ParsedFile {
  const json = readJson(bytes)
  const library = Library.of(json)
  const { groups, notes, leftOut, dangling } = collect(library)
  if (groups.reduce((sum, { members }) => sum + members.length, 0) > maxObservations) throw new Refusal('TOO_LARGE')
  const byDay = new Map<string, Group[]>()
  for (const group of groups.toSorted((a, b) => Number(isLoneWithdrawal(a)) - Number(isLoneWithdrawal(b)))) {
    for (const [day, members] of daysOf(group, library)) {
      const [only, ...others] = byDay.keys()
      const isOfOnly = isLoneWithdrawal(group) && only !== undefined && others.length === 0
      const key = isOfOnly ? only : `${subjectOf(group)} ${day}`
      byDay.set(key, [...(byDay.get(key) ?? []), { ...group, members }])
    }
  }
  const commas = commasIn(library.list('Observation').flatMap(printedIn))
  const isOfSeveral = namesSeveral(library)
  const nameless = groups.filter(({ withdrawn, members }) => withdrawn && members.length === 0)
  const reports = [
    ...[...byDay.values()].map((same) => readReport(same, library, commas)),
    ...nameless.map((group) => ({ ...readReport([group], library, commas), withdrawn: true as const })),
  ].map((report) => ({ ...report, ...(isOfSeveral && { isOfSeveral }) }))
  reports[0]?.observations.push(...library.unreadable.map(unreadable))
  if (!reports.some(({ observations, withdrawn }) => observations.length > 0 || withdrawn))
    throw new Refusal('NOTHING_FOUND')
  const known = library.list('Observation').length + library.unreadable.length
  const missing = countObservations(json) - known + dangling
  return { format: 'fhir', reports, notes: distinct([...notes, ...library.noted()]), leftOut, missing }
}

/** A withdrawn result that names nobody belongs to the report of its file, if there is only one. */
const isLoneWithdrawal = (group: Group) =>
  !group.report && subjectOf(group) === '' && group.members.every(({ status }) => takenBack.includes(statusOf(status)))

function collect(library: Library): { groups: Group[]; notes: string[]; leftOut: number; dangling: number } {
  const notes: string[] = []
  const used = new Set<ObservationResource>()
  const take = (resource: ObservationResource, into: ObservationResource[]) => {
    if (used.has(resource)) return
    used.add(resource)
    for (const { reference } of resource.hasMember ?? []) {
      const member = library.find(reference, resource)
      if (member?.resourceType === 'Observation') take(member, into)
    }
    const status = statusOf(resource.status)
    if (takenBack.includes(status)) {
      notes.push(`A result with the status ${nameOf(resource.status)} was taken back`)
      into.push(resource)
    } else if (!resource.hasMember?.length || holdsValue(resource)) into.push(resource)
  }
  let dangling = 0
  const groups: Group[] = library.list('DiagnosticReport').flatMap((report): Group[] => {
    const status = statusOf(report.status)
    const { found, missing } = membersOf(report, library)
    if (takenBack.includes(status)) {
      for (const one of found) used.add(one)
      notes.push(`A report with the status ${nameOf(report.status)} was taken back`)
      return [{ report, owner: report, members: found, withdrawn: status }]
    }
    if (missing > 0) notes.push(`${missing} results are only referred to and are not in the file`)
    dangling += missing
    const members: ObservationResource[] = []
    for (const one of found) take(one, members)
    const isUnknown = status === 'not-done'
    return members.length > 0 ? [{ report, owner: report, members, ...(isUnknown && { isUnknown }) }] : []
  })
  let others = 0
  for (const one of library.list('Observation')) {
    if (used.has(one)) continue
    if (!isLaboratory(one)) others++
    else {
      const members: ObservationResource[] = []
      take(one, members)
      if (members.length > 0) groups.push({ owner: one, members })
    }
  }
  if (others > 0) notes.push(`${others} observations that no laboratory made, such as vital signs, were left out`)
  return { groups, notes, leftOut: others, dangling }
}

const nameOf = (status: string) => (/^[a-z-]{1,30}$/.test(status) ? status : 'unknown')
const holdsValue = (one: ObservationResource) => hasValue(one) || (one.component?.length ?? 0) > 0

const unreadable = (name: string, index: number): Observation => ({
  name,
  valueText: '',
  status: 'final',
  doubt: 'unreadable',
  position: `Observation that is not valid, ${index + 1}`,
  raw: '',
})

/** Several Patients, or results of several subjects, whether the file describes them or not. */
function namesSeveral(library: Library): boolean {
  if (areSeveralPeople(library.list('Patient').map(describePatient))) return true
  const subjects = [...library.list('DiagnosticReport'), ...library.list('Observation')].flatMap((one) => {
    const { reference, display } = one.subject ?? {}
    return library.find(reference, one) ?? reference ?? (display === undefined ? [] : `by name ${display}`)
  })
  // Those that the file describes were compared: they count as one.
  const unknown = new Set(subjects.flatMap((one) => (typeof one === 'string' ? plainReference(one) : [])))
  return unknown.size + (subjects.some((one) => typeof one !== 'string') ? 1 : 0) > 1
}

const plainReference = (reference: string) =>
  reference
    .replace(/\/_history\/.*$/, '')
    .split('/')
    .slice(-2)
    .join('/')

function membersOf(report: ReportResource, library: Library): { found: ObservationResource[]; missing: number } {
  const references = report.result ?? []
  const found = references.flatMap(({ reference }) => {
    const one = library.find(reference, report)
    return one?.resourceType === 'Observation' ? [one] : []
  })
  return { found, missing: references.length - found.length }
}

/** Categories of FHIR for what no laboratory measures. */
const elsewhere = /^(social-history|vital-signs|imaging|procedure|survey|exam|therapy|activity|sdoh)$/i

/** Any other category, such as that of a department, and none: the name decides. */
function isLaboratory({ category }: ObservationResource): boolean {
  const codes = (category ?? []).flatMap(({ coding }) => (coding ?? []).map(({ code }) => code ?? ''))
  return codes.length === 0 || !codes.every((code) => elsewhere.test(code))
}

const subjectOf = ({ report, members }: Group) => report?.subject?.reference ?? members[0]?.subject?.reference ?? ''

function daysOf(group: Group, library: Library): Map<string, ObservationResource[]> {
  const days = new Map<string, ObservationResource[]>()
  for (const one of group.members) {
    const day = dayOf(one, library) ?? (group.report && dayOf(group.report, library)) ?? ''
    days.set(day, [...(days.get(day) ?? []), one])
  }
  return days
}

function dayOf(resource: ObservationResource | ReportResource, library: Library): string | undefined {
  const collection = specimensOf(resource, library)[0]?.collection
  const told = [resource.effectiveDateTime, resource.effectivePeriod?.start]
  const specimen = [collection?.collectedDateTime, collection?.collectedPeriod?.start]
  return [...specimen, ...told].map(isoStart).find((day) => day !== undefined)
}

function specimensOf(resource: ObservationResource | ReportResource, library: Library): SpecimenResource[] {
  const references = resource.resourceType === 'Observation' ? [resource.specimen] : (resource.specimen ?? [])
  return references.flatMap((reference) => {
    const one = library.find(reference?.reference, resource)
    return one?.resourceType === 'Specimen' ? [one] : []
  })
}

function readReport(groups: readonly Group[], library: Library, commas: Commas): ParsedReport {
  const observations = groups.flatMap((group) => readGroup(group, library, commas))
  const resources = groups.flatMap(({ report, members }) => [...(report ? [report] : []), ...members])
  const days = groups.flatMap((group) => [...daysOf(group, library).keys()])
  const collectedDate = days.find((day) => day !== '')
  const issued = resources.map(({ issued }) => isoStart(issued)).filter((day) => day !== undefined)
  const resultedDate = issued.sort().at(-1)
  const specimens = distinct(resources.flatMap((resource) => specimensOf(resource, library)))
  const accession = accessionOf(groups, specimens)
  const kitId = kitIdOf(groups, specimens)
  const patient = patientOf(groups, library)
  return {
    ...(collectedDate && { collectedDate }),
    ...(resultedDate && { resultedDate }),
    ...(accession && { accession }),
    ...(kitId && { kitId }),
    ...(patient && { patient }),
    status: overallStatus(resources.map(({ status }) => statusOf(status))),
    observations,
    origin: originIn(
      {
        reports: groups.flatMap(({ report }) => report ?? []),
        members: groups.flatMap(({ members }) => members),
        specimens,
        patientID: patient?.id,
      },
      library,
    ),
    specimenErrors: distinct(errorTexts(specimens, observations).flatMap(specimenErrorsIn)),
  }
}

function readGroup({ report, members, withdrawn, isUnknown }: Group, library: Library, commas: Commas): Observation[] {
  const ofReport = report ? specimenWords(report, library) : []
  return members.flatMap((one) => {
    const own = specimenWords(one, library)
    // A report of several specimens does not say which one a result is of: list all of them.
    const specimen = clean((own.length > 0 ? own : ofReport).join(' '), 200)
    const section = clean([wordsOf(report?.code), specimen].filter(Boolean).join(' / '), 200)
    const position = `Observation ${library.all.indexOf(one) + 1}`
    const about = { section, specimen, position, commas }
    const said = saidIn(one, library)
    const isOwn = !withdrawn && (isUnknown || statusOf(one.status) === 'not-done')
    const read = isOwn
      ? readObservation(one, about, 'final').map(ofUnknownStatus)
      : readObservation(one, about, withdrawn)
    return said ? read.map((observation) => ({ ...observation, said })) : read
  })
}

/** Whether it counts is not certain: it is kept, without its number. */
function ofUnknownStatus({ value: _, comparator: __, ...observation }: Observation): Observation {
  return { ...observation, doubt: 'unknownStatus' }
}

/** The names of the specimens, in the file or in references. */
function specimenWords(resource: ObservationResource | ReportResource, library: Library): string[] {
  const references = resource.resourceType === 'Observation' ? [resource.specimen] : (resource.specimen ?? [])
  return references.flatMap((reference) => {
    const one = library.find(reference?.reference, resource)
    const codes = one?.resourceType === 'Specimen' ? (one.type?.coding ?? []).map(({ code }) => code ?? '') : []
    const words = one?.resourceType === 'Specimen' ? [wordsOf(one.type), ...codes] : [reference?.display ?? '']
    const said = distinct(words).join(' ').trim()
    return said === '' ? [] : [said]
  })
}

function accessionOf(groups: readonly Group[], specimens: readonly SpecimenResource[]): string | undefined {
  const told = [
    ...specimens.map(({ accessionIdentifier }) => accessionIdentifier?.value),
    ...groups.flatMap(({ report }) => (report?.identifier ?? []).map(({ value }) => value)),
  ]
  const found = told.find((value) => value !== undefined && value !== '')
  return found && clean(found, 80)
}

function kitIdOf(groups: readonly Group[], specimens: readonly SpecimenResource[]): string | undefined {
  const told = [
    ...groups.flatMap(({ report }) => [
      ...(report?.identifier ?? []).map(({ value }) => value),
      ...(report?.basedOn ?? []).flatMap(({ identifier, display }) => [identifier?.value, display]),
    ]),
    ...specimens.flatMap((one) => [
      one.accessionIdentifier?.value,
      ...(one.identifier ?? []).map(({ value }) => value),
    ]),
  ]
  const found = told.find((value) => value !== undefined && isKitId(value))
  return found && normalizeId(found)
}

function patientOf([group]: readonly Group[], library: Library): Patient | undefined {
  if (!group) return undefined
  const reference = group.report?.subject ?? group.members[0]?.subject
  const one = library.find(reference?.reference, group.owner)
  if (one?.resourceType !== 'Patient') return reference?.display ? { name: clean(reference.display, 200) } : undefined
  return describePatient(one)
}

function errorTexts(specimens: readonly SpecimenResource[], observations: readonly Observation[]): string[] {
  const conditions = specimens.flatMap(({ condition, note }) => [
    ...(condition ?? []).flatMap((one) => [
      wordsOf(one),
      one.coding?.some(({ code }) => code === 'HEM') ? 'hemolyzed' : '',
    ]),
    ...(note ?? []).map(({ text }) => text ?? ''),
  ])
  return [
    ...conditions,
    ...observations.flatMap(({ comment, value, valueText }) => [comment ?? '', value === undefined ? valueText : '']),
  ]
}
