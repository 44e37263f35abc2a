import { withAnnulledByName } from '../around.ts'
import { withDoubt, withRemarksOnAll, withUnknown, withWordsBeside } from '../beside.ts'
import { siteOf } from '../body-site.ts'
import { withControls } from '../controls.ts'
import { isoStart, withHour } from '../date.ts'
import { type Commas, commasIn } from '../number.ts'
import { withOrder } from '../order-name.ts'
import { impossibleTimes } from '../order-of-times.ts'
import type { Observation, ParsedFile, ParsedReport } from '../parsed.ts'
import { Refusal } from '../refusal.ts'
import { factsIn, type SampleFacts } from '../sample-words.ts'
import {
  distinct,
  isNotOwn,
  specimenErrorsBeside,
  specimenErrorsIn,
  specimenErrorsOfResults,
} from '../specimen-words.ts'
import { isUsable, overallStatus } from '../status.ts'
import { clean, cleaned } from '../text.ts'
import { collect, type Group, takenBack } from './collect.ts'
import { countObservations } from './count.ts'
import { heldBy, heldOf, isPreliminary, remarksBeside, withRemarksOn } from './held.ts'
import { readJson } from './json.ts'
import { Library } from './library.ts'
import { printedIn, readObservation, statusOf, wordsOf } from './observation.ts'
import { accessionOf, errorTexts, kitIdsOf, momentOf, originIn, saidIn, specimenOf, specimensOf } from './origin.ts'
import {
  Bundle,
  type Concept,
  type ObservationResource,
  type ReportResource,
  type SpecimenResource,
} from './resource.ts'
import { isPerson, namedBy, namesSeveral, patientOf } from './subject.ts'

const maxObservations = 20_000
/** DiagnosticReports and single Observations of a resource or Bundle; one report per person and day. */
export function parseFhir(bytes: Uint8Array): ParsedFile {
  const json = readJson(bytes)
  const library = Library.of(json)
  const { groups, notes, leftOut, dangling, absent } = collect(library)
  if (groups.reduce((sum, { members }) => sum + members.length, 0) > maxObservations) throw new Refusal('TOO_LARGE')
  const byDay = new Map<string, Group[]>()
  const takenFor = ({ report, members }: Group) =>
    distinct([report ?? [], members].flat().flatMap((one) => specimensOf(one, library)))
  const kitsOf = (group: Group) => kitIdsOf([group], takenFor(group), library)
  const areSeveralKits = new Set(groups.flatMap(kitsOf)).size > 1
  const isNobodys = (group: Group) =>
    isLoneWithdrawal(group) || !isPerson(subjectIn(group), subjectHolder(group), library)
  for (const group of groups.toSorted((a, b) => Number(isNobodys(a)) - Number(isNobodys(b)))) {
    for (const [day, members] of daysOf(group, library)) {
      const [only] = byDay.keys()
      const isOfOnly = isNobodys(group) && only !== undefined && byDay.size === 1
      const kit = areSeveralKits ? (kitsOf({ ...group, members })[0] ?? '') : ''
      const key = isOfOnly ? only : `${subjectOf(group)} ${day} ${kit}`
      byDay.set(key, [...(byDay.get(key) ?? []), { ...group, members }])
    }
  }
  const commas = commasIn(library.list('Observation').flatMap(printedIn))
  const isOfSeveral = namesSeveral(library)
  const bundle = Bundle.safeParse(json).data
  const sentDate = momentOf(bundle?.meta?.lastUpdated ?? bundle?.timestamp)
  const nameless = groups.filter(({ withdrawn, members }) => withdrawn && members.length === 0)
  const reports = [
    ...[...byDay.values()].map((same) => readReport(same, library, commas)),
    ...nameless.map((group) => ({ ...readReport([group], library, commas), withdrawn: true as const })),
  ].map((report, part, { length: parts }) => ({
    ...report,
    message: { ...(sentDate && { sentDate }), part, parts },
    ...(isOfSeveral && { isOfSeveral }),
  }))
  const waiting = [...library.unreadable.map(unreadable), ...absent.map(notInFile)]
  if (reports[0]) reports[0].observations.push(...waiting)
  else if (waiting.length > 0)
    reports.push({ ...readReport([], library, commas), observations: waiting, message: { part: 0, parts: 1 } })
  const known = library.list('Observation').length + library.unreadable.length
  const hidden = countObservations(json) - known
  if (!reports.some(({ observations, withdrawn }) => observations.length > 0 || withdrawn))
    throw new Refusal(hidden > 0 ? 'PARSE_FAILED' : 'NOTHING_FOUND')
  const missing = hidden + dangling
  return { format: 'fhir', reports, notes: distinct([...notes, ...library.noted()]), leftOut, missing }
}

/** A withdrawn result that names nobody, like one of a device, belongs to the report of its file, if there is only one. */
const isLoneWithdrawal = (group: Group) =>
  !group.report && subjectOf(group) === '' && group.members.every(({ status }) => takenBack.includes(statusOf(status)))

const unreadable = ({ name, text, because }: Library['unreadable'][number], index: number): Observation => ({
  name,
  because,
  valueText: text,
  status: 'final',
  doubt: 'unreadable',
  position: `Observation that is not valid, ${index + 1}`,
  raw: '',
})

const notInFile = (name: string): Observation => ({
  name,
  valueText: '',
  status: 'final',
  doubt: 'notInFile',
  position: 'A reference',
  raw: '',
})

const subjectIn = ({ report, members }: Group) => report?.subject ?? members[0]?.subject
const subjectHolder = ({ report, members, owner }: Group) => (report?.subject ? report : (members[0] ?? owner))
const subjectOf = ({ report, members }: Group) => namedBy(report?.subject) ?? namedBy(members[0]?.subject) ?? ''

function daysOf(group: Group, library: Library): Map<string, ObservationResource[]> {
  const days = new Map<string, ObservationResource[]>()
  for (const one of group.members) {
    const day = dayOf(one, library) ?? (group.report && dayOf(group.report, library)) ?? ''
    days.set(day, [...(days.get(day) ?? []), one])
  }
  return days
}

const dayOf = (resource: ObservationResource | ReportResource, library: Library): string | undefined =>
  daysTold(resource, library)
    .map(isoStart)
    .find((day) => day !== undefined)

function daysTold(resource: ObservationResource | ReportResource, library: Library): (string | undefined)[] {
  const collection = specimensOf(resource, library)[0]?.collection
  const told = [resource.effectiveDateTime, resource.effectiveInstant, resource.effectivePeriod?.start]
  const specimen = [collection?.collectedDateTime, collection?.collectedPeriod?.start]
  return [...specimen, ...told]
}

function readReport(groups: readonly Group[], library: Library, commas: Commas): ParsedReport {
  const read = (group: Group) => withRemarksOn(group, readGroup(group, library, commas))
  const own = groups.filter(({ report }) => report).map(read)
  const loose = groups.filter(({ report }) => !report).flatMap(read)
  const concluded = library.list('DiagnosticReport').map(({ conclusion = '' }) => conclusion)
  const observations = withAnnulledByName(withRemarksOnAll([...own, loose].map(withWordsBeside)), concluded)
  const resources = groups.flatMap(({ report, members }) => [...(report ? [report] : []), ...members])
  const days = groups.flatMap((group) => [...daysOf(group, library).keys()])
  const collectedDate = days.find((day) => day !== '')
  const unreadDay = cleaned(resources.flatMap((one) => daysTold(one, library)).find(Boolean), 60)
  const issued = resources.map(({ issued }) => isoStart(issued)).filter((day) => day !== undefined)
  const resultedDate = issued.sort().at(-1)
  const specimens = distinct(resources.flatMap((resource) => specimensOf(resource, library)))
  const accession = accessionOf(groups, specimens)
  const [kitId, ...otherKitIds] = kitIdsOf(groups, specimens, library)
  const patient = patientOf(groups, library)
  return {
    ...(collectedDate && { collectedDate }),
    ...(unreadDay && !collectedDate && { unreadDay }),
    ...(resultedDate && { resultedDate }),
    ...(accession && { accession }),
    ...(kitId && { kitId }),
    ...(otherKitIds.length > 0 && { otherKitIds: otherKitIds.slice(0, 20) }),
    ...(patient && { patient }),
    status: overallStatus(resources.map(({ status }) => statusOf(status))),
    observations,
    origin: originIn(
      {
        reports: groups.flatMap(({ report }) => report ?? []),
        members: groups.flatMap(({ members }) => members),
        specimens,
        patientID: patient?.id,
        panelNotes: groups.flatMap(({ notes }) => notes),
      },
      library,
    ),
    specimenErrors: distinct([
      ...errorTexts(specimens).flatMap((text) => specimenErrorsIn(text)),
      ...specimenErrorsBeside(observations),
      ...specimenErrorsOfResults(observations),
    ]),
  }
}

function readGroup(group: Group, library: Library, commas: Commas): Observation[] {
  const { report, members, withdrawn, doubt } = group
  const ofAll = heldBy(group)
  const isEarly = isPreliminary(group)
  const ofReport = report ? specimenWords(report, library) : []
  const read = members.map((one) => {
    const own = specimenWords(one, library)
    // A report of several specimens does not say which one a result is of: list all of them.
    const structure = one.bodyStructure ? [one.bodyStructure.display ?? 'a body structure'] : []
    const site = siteOf([
      ...siteTexts(one.bodySite),
      ...structure,
      ...specimensOf(one, library).flatMap(siteOfSpecimen),
    ])
    const specimen = clean([...(own.length > 0 ? own : ofReport), site.specimen ?? ''].join(' '), 200)
    const orders = [...(one.basedOn ?? []), ...(report?.basedOn ?? [])].map((to) => library.follow(to, one))
    const asked = orders.flatMap((order) => (order?.resourceType === 'ServiceRequest' ? order : []))
    const titles = [report, ...library.panelsOf(one), ...asked].map((above) => wordsOf(above?.code))
    const section = clean(
      distinct([...titles, specimen])
        .filter(Boolean)
        .join(' / '),
      200,
    )
    const position = `Observation ${library.all.indexOf(one) + 1}`
    const about = { section, specimen, position, commas }
    const said = saidIn(one, library)
    const notOwn = isOfAnother(one, library) || isNotOwn(specimen) ? 'notOwn' : site.isOther ? 'otherSite' : undefined
    const times = timesOf(withdrawn && report ? [report, one] : [one, ...(report ? [report] : [])])
    const why = doubt ?? notOwn ?? (statusOf(one.status) === 'not-done' ? 'unknownStatus' : undefined)
    const isOwn = !withdrawn && why
    const facts = factsOfSpecimens(specimensOf(one, library))
    const counted = isOwn
      ? readObservation(one, about, 'final').map((observation) => withDoubt(observation, isOwn))
      : readObservation(one, about, withdrawn)
    const collected = [...daysTold(one, library), ...(report ? daysTold(report, library) : [])].find(Boolean)
    const taken = own.length > 0 || !report ? specimensOf(one, library) : specimensOf(report, library)
    const received = taken.map(({ receivedTime }) => receivedTime).find(Boolean)
    const wrong = withdrawn
      ? undefined
      : (impossibleTimes({ collected, received, reported: times.reportedDate, sent: times.sentDate }) ??
        daysApart(one, taken))
    const held = withdrawn ? undefined : (ofAll ?? heldOf(one, group, taken, library))
    const waits = held ?? (wrong ? { doubt: 'impossibleTimes' as const, because: wrong } : undefined)
    const beside = withdrawn ? [] : remarksBeside(one, report, taken, library)
    const noted = counted.map((observation) => withOrder(beside.reduce(withUnknown, observation), titles))
    return noted.map((observation) => ({
      ...(waits && isUsable(observation.status) ? withDoubt(observation, waits.doubt, waits.because) : observation),
      ...(isEarly && observation.status === 'final' && { status: 'preliminary' as const }),
      ...times,
      isUnordered: true as const,
      ...withHour(collected),
      ...facts,
      ...(said && { said }),
      ...(taken.length === 1 && taken[0] && { taken: specimenOf(taken[0]) }),
    }))
  })
  // A test's own controls are components, or results of the same report.
  return report ? withControls(read.flat()) : read.flatMap(withControls)
}

/** Zones may put a night between them. */
const DAY_MS = 24 * 3_600_000

/** A specimen that was collected on another day than the result says of itself, in words. */
function daysApart(one: ObservationResource, specimens: readonly SpecimenResource[]): string | undefined {
  const said = isoStart(one.effectiveDateTime ?? one.effectiveInstant)
  const collected = specimens.flatMap(({ collection }) => isoStart(collection?.collectedDateTime) ?? [])
  const far = collected.find((day) => said && Math.abs(Date.parse(day) - Date.parse(said)) > DAY_MS)
  return far && `the specimen was collected on ${far}, the result says ${said}`
}

/** When it was reported, and last changed where it came from: of the first that says so. */
function timesOf(resources: readonly (ObservationResource | ReportResource)[]) {
  const [reportedDate] = resources.flatMap(({ issued }) => momentOf(issued) ?? [])
  const [sentDate] = resources.flatMap(({ meta }) => momentOf(meta?.lastUpdated) ?? [])
  return { ...(reportedDate && { reportedDate }), ...(sentDate && { sentDate }) }
}

const siteTexts = (concept: Concept | undefined): string[] =>
  concept
    ? [concept.text ?? '', ...(concept.coding ?? []).flatMap(({ code = '', display = '' }) => [code, display])]
    : []
const siteOfSpecimen = ({ collection }: SpecimenResource): string[] => siteTexts(collection?.bodySite)

/** What is measured of a device, a place, a group or a substance, or of somebody else than its subject. */
function isOfAnother(one: ObservationResource, library: Library): boolean {
  const holders = [one, ...specimensOf(one, library)]
  // A fetus, a donor.
  if (one.extension?.some(({ url }) => url.endsWith('/observation-focusCode'))) return true
  return (
    !holders.every((holder) => isPerson(holder.subject, holder, library)) ||
    (one.focus ?? []).some(({ reference }) => reference !== one.subject?.reference)
  )
}

/** HL7 table 0916: F, NF. */
function factsOfSpecimens(specimens: readonly SpecimenResource[]): SampleFacts {
  const statuses = specimens.flatMap(({ collection }) => collection?.fastingStatusCodeableConcept ?? [])
  const coded = statuses.flatMap(({ coding = [] }) =>
    coding.map(({ code }) => (code === 'F' ? true : code === 'NF' ? false : undefined)),
  )
  const notes = specimens.flatMap(({ note = [] }) => note.map(({ text }) => text))
  return factsIn([...statuses.map(wordsOf), ...notes], coded)
}

/** "Specimen 26H-071C0012": which one, and not of what. */
const isNumberOfSpecimen = /^(?:(?:specimen|sample|probe)[ #:]*)?(?=\S*\d{2})[\w.-]+$/i

/** The names of the specimens, in the file or in references. */
function specimenWords(resource: ObservationResource | ReportResource, library: Library): string[] {
  const references = resource.resourceType === 'Observation' ? [resource.specimen] : (resource.specimen ?? [])
  return references.flatMap((reference) => {
    const one = library.follow(reference, resource)
    const { display = '' } = reference ?? {}
    if (one?.resourceType !== 'Specimen') return isNumberOfSpecimen.test(display) ? [] : display.trim() || []
    const codes = (one.type?.coding ?? []).map(({ code }) => code ?? '')
    // Other additives change nothing that is read.
    const additives = (one.container ?? []).map((tube) => wordsOf(tube.additiveCodeableConcept))
    const edta = additives.filter((words) => /edta/i.test(words))
    const words = distinct([wordsOf(one.type), ...codes, ...edta]).join(' ')
    return words.trim() || []
  })
}
