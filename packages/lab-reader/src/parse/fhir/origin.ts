import { kitIdOfNumber } from '@kitlane/display/short-id'
import type { Laboratory, Origin, Said, SentCode, Specimen } from '../origin.ts'
import { distinct } from '../specimen-words.ts'
import { clean, cleaned } from '../text.ts'
import type { Group } from './collect.ts'
import type { Library } from './library.ts'
import { wordsOf } from './observation.ts'
import type {
  Concept,
  ObservationResource,
  OrganizationResource,
  Reference,
  ReportResource,
  SpecimenResource,
} from './resource.ts'

type Performed = ObservationResource | ReportResource

/** A time as FHIR has it: with its zone, or a day. */
export const momentOf = (text: string | undefined) =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}(T\S+)?$/.test(text.trim()) ? clean(text, 40) : undefined

/** The organizations that performed; a person or a role performed at one that is not named. */
function performersOf(resource: Performed, library: Library): Laboratory[] {
  return (resource.performer ?? []).flatMap(({ reference, display }) => {
    const found = library.find(reference, resource)
    if (found?.resourceType === 'Organization') return laboratoryOf(found) ?? []
    const isOrganization = reference === undefined || /(^|\/)Organization\//.test(reference)
    const name = cleaned(display, 200)
    return name && isOrganization ? [{ name }] : []
  })
}

const cliaSystem = '2.16.840.1.113883.4.7'

function laboratoryOf({ name, address, identifier }: OrganizationResource): Laboratory | undefined {
  const called = cleaned(name, 200)
  if (!called) return undefined
  const [where] = address ?? []
  const { text, line = [], city, state, postalCode, country } = where ?? {}
  const parts = [...line, city, state, postalCode, country].filter((part) => part !== undefined)
  const written = cleaned(text ?? parts.join(', '), 400)
  const clia = cleaned(identifier?.find(({ system }) => system?.includes(cliaSystem))?.value, 40)
  return { name: called, ...(written && { address: written }), ...(clia && { clia }) }
}

interface OriginInput {
  reports: readonly ReportResource[]
  members: readonly ObservationResource[]
  specimens: readonly SpecimenResource[]
  patientID: string | undefined
  panelNotes: readonly string[]
}

/** Laboratory, specimen and times of a report: performer, Specimen, issued and conclusion. */
export function originIn(
  { reports, members, specimens, patientID, panelNotes }: OriginInput,
  library: Library,
): Origin {
  const performed = [...reports, ...members].flatMap((resource) => performersOf(resource, library))
  const byName = new Map(performed.toReversed().map((one) => [one.name, one]))
  const reportedDate = [...reports, ...members]
    .flatMap(({ issued }) => momentOf(issued) ?? [])
    .sort()
    .at(-1)
  const concluded = reports.flatMap(({ conclusion, conclusionCode = [] }) => [
    conclusion,
    ...conclusionCode.map(wordsOf),
  ])
  const notes = [...concluded, ...panelNotes].flatMap((one) => cleaned(one, 2000) ?? [])
  return {
    laboratories: [...byName.values()].toReversed(),
    specimens: specimens.map(specimenOf).filter((one) => Object.keys(one).length > 0),
    ...(patientID && { patientID: clean(patientID, 100) }),
    ...(reportedDate && { reportedDate }),
    notes: [...new Set(notes)],
  }
}

/** FHIR `specimen-status`, but for `available`. */
const notUsable = new Set(['unsatisfactory', 'entered-in-error', 'unavailable'])

export function specimensOf(resource: Performed, library: Library): SpecimenResource[] {
  const references = resource.resourceType === 'Observation' ? [resource.specimen] : (resource.specimen ?? [])
  return references.flatMap((reference) => {
    const one = library.follow(reference, resource)
    return one?.resourceType === 'Specimen' ? [one] : []
  })
}

const codesOf = (concept: Concept | undefined): SentCode[] =>
  (concept?.coding ?? []).flatMap(({ code, system, display }) =>
    code ? [{ code, ...(system && { system }), ...(display && { display }) }] : [],
  )

/** A specimen as a report shows it. */
export function specimenOf(one: SpecimenResource): Specimen {
  const { type, status = '', condition = [], note = [], collection, receivedTime } = one
  const id = cleaned(one.accessionIdentifier?.value ?? one.identifier?.find(({ value }) => value)?.value, 100)
  const said = (concept: Concept | undefined) => cleaned(wordsOf(concept), 200)
  const source = [said(type), said(collection?.bodySite)].filter(Boolean).join(', ')
  const codes = codesOf(type).slice(0, 10)
  const [site] = codesOf(collection?.bodySite)
  const state = notUsable.has(status) ? `Specimen ${status.replaceAll('-', ' ')}. ` : ''
  const words = [...condition.map(wordsOf), ...note.map(({ text }) => text ?? '')].join(' ')
  const found = cleaned(`${state}${words}`, 300)
  const collectedDate = momentOf(collection?.collectedDateTime ?? collection?.collectedPeriod?.start)
  const receivedDate = momentOf(receivedTime)
  return {
    ...(id && { id }),
    ...(source && { source }),
    ...(codes.length > 0 && { codes }),
    ...(site && { site }),
    ...(found && { condition: found }),
    ...(collectedDate && { collectedDate }),
    ...(receivedDate && { receivedDate }),
  }
}

/** What stands beside one value: method, performer and note. */
export function saidIn(resource: ObservationResource, library: Library): Said | undefined {
  const method = cleaned(wordsOf(resource.method), 300)
  const laboratory = performersOf(resource, library)[0]?.name
  const comment = cleaned((resource.note ?? []).map(({ text }) => text ?? '').join(' '), 2000)
  const said = { ...(method && { method }), ...(laboratory && { laboratory }), ...(comment && { comment }) }
  return Object.keys(said).length > 0 ? said : undefined
}

/** What specimens say of their condition, in words. */
export function errorTexts(specimens: readonly SpecimenResource[]): string[] {
  return specimens.flatMap(({ condition, note }) => [
    ...(condition ?? []).flatMap((one) => [
      wordsOf(one),
      one.coding?.some(({ code }) => code === 'HEM') ? 'hemolyzed' : '',
    ]),
    ...(note ?? []).map(({ text }) => text ?? ''),
  ])
}

export function accessionOf(groups: readonly Group[], specimens: readonly SpecimenResource[]): string | undefined {
  const told = [
    ...specimens.map(({ accessionIdentifier }) => accessionIdentifier?.value),
    ...groups.flatMap(({ report }) => (report?.identifier ?? []).map(({ value }) => value)),
  ]
  const found = told.find((value) => value !== undefined && value !== '')
  return found && clean(found, 200)
}

/** The kits that the numbers of reports, orders and specimens are of. */
export function kitIdsOf(groups: readonly Group[], specimens: readonly SpecimenResource[], library: Library): string[] {
  const performed = groups.flatMap(({ report, members }) => [...(report ? [report] : []), ...members])
  const told = [
    ...groups.flatMap(({ report }) => (report?.identifier ?? []).map(({ value }) => value)),
    ...performed.flatMap((one) => (one.basedOn ?? []).flatMap((to) => numbersOfRequest(to, one, library))),
    ...specimens.flatMap((one) => [
      one.accessionIdentifier?.value,
      ...(one.identifier ?? []).map(({ value }) => value),
    ]),
  ]
  return distinct(told.flatMap((value) => kitIdOfNumber(value ?? '') ?? []))
}

/** Kitlane's own FHIR calls a kit's ServiceRequest by the ID of the kit. */
function numbersOfRequest(to: Reference, from: Performed, library: Library): (string | undefined)[] {
  const request = library.find(to.reference, from)
  const numbers = request?.resourceType === 'ServiceRequest' ? [...(request.identifier ?? []), request.requisition] : []
  return [to.identifier?.value, to.display, to.reference?.split('/').at(-1), ...numbers.map((one) => one?.value)]
}
