import { z } from 'zod'
import { annuls } from '../annulling.ts'
import { distinct } from '../specimen-words.ts'
import { clean } from '../text.ts'
import { deletedIn, deletedInList, type Sections, saidAbout, saidIn, saidOfSource } from './document.ts'
import {
  Bundle,
  Concept,
  labelAgainst,
  Notes,
  type ObservationResource,
  plainReference,
  Reference,
  type ReportResource,
  Resource,
} from './resource.ts'

const MAX_DEPTH = 5
const READ = ['Observation', 'DiagnosticReport', 'Patient', 'Specimen', 'Organization', 'ServiceRequest']
const Named = z.object({ code: Concept })
const Members = z.array(z.object({ reference: z.string() })).catch([])
const Written = z.object({
  id: z.string().optional().catch(undefined),
  valueQuantity: z
    .object({ value: z.union([z.number(), z.string()]) })
    .optional()
    .catch(undefined),
  valueString: z.string().optional().catch(undefined),
  valueCodeableConcept: Concept.optional().catch(undefined),
  result: Members,
  hasMember: Members,
})

/** What other versions of FHIR call the notes of a result and of a report. */
const OtherNotes = z.object({
  resourceType: z.enum(['Observation', 'DiagnosticReport', 'Specimen']),
  note: Notes.catch(undefined),
  comment: z.string().optional().catch(undefined),
  comments: z.string().optional().catch(undefined),
  conclusion: z.string().optional().catch(undefined),
  extension: z.array(z.unknown()).optional().catch(undefined),
  /** Versions before R4 name members and sources so. */
  related: z
    .array(z.object({ type: z.string().optional(), target: Reference }))
    .optional()
    .catch(undefined),
})

const Extension = z.object({
  url: z.string(),
  extension: z.array(z.unknown()).optional().catch(undefined),
  valueMarkdown: z.string().optional().catch(undefined),
  valueAnnotation: z.object({ text: z.string() }).optional().catch(undefined),
  valueCodeableConcept: Concept.optional().catch(undefined),
})

/** Extensions and those in them, with their words as strings. */
function flat(extensions: readonly unknown[], depth = 0): { valueString?: unknown }[] {
  return extensions.flatMap((json) => {
    const { data } = Extension.safeParse(json)
    if (!data || depth > MAX_DEPTH) return [Object(json)]
    const { valueMarkdown, valueAnnotation, valueCodeableConcept: coded, extension = [] } = data
    const said = [
      valueMarkdown,
      valueAnnotation?.text,
      coded?.text,
      ...(coded?.coding ?? []).map(({ display }) => display),
    ]
    const words = said.filter((one) => one !== undefined).join('. ')
    return [{ ...Object(json), ...(words && { valueString: words }) }, ...flat(extension, depth + 1)]
  })
}

/** A resource with its notes, members and extensions where R4 has them. */
function withNotes(json: unknown): unknown {
  const { data } = OtherNotes.safeParse(json)
  if (!data) return json
  const { resourceType, note = [], comment, comments, conclusion, related = [], extension } = data
  const said = [comment, comments].flatMap((one) => (one ? [{ text: one }] : []))
  const all = (type: string) => related.filter((one) => one.type === type).map(({ target }) => target)
  const [hasMember, derivedFrom] = [all('has-member'), all('derived-from')]
  if (resourceType === 'Observation')
    return {
      ...Object(json),
      ...(said.length > 0 && { note: [...note, ...said] }),
      ...(hasMember.length > 0 && { hasMember }),
      ...(derivedFrom.length > 0 && { derivedFrom }),
      ...(extension && { extension: flat(extension) }),
    }
  for (const { valueString } of flat(extension ?? []))
    if (typeof valueString === 'string' && annuls(valueString)) said.push({ text: valueString })
  if (resourceType === 'Specimen') return said.length > 0 ? { ...Object(json), note: [...note, ...said] } : json
  const concluded = [conclusion, ...[...note, ...said].map(({ text }) => text)].filter(Boolean)
  return note.length + said.length > 0 ? { ...Object(json), conclusion: concluded.join('\n') } : json
}

/** The resources of a file, found by any of the ways FHIR refers to them. */
export class Library {
  readonly all: Resource[] = []
  /** Things that could not be read, each once. */
  readonly notes: string[] = []
  /** What Observations call themselves that could not be read, and which field is to blame. */
  readonly unreadable: { name: string; text: string; because: string }[] = []
  /** Of what is not valid, by its address, and of the results of a report or panel that is not valid. */
  private readonly broken = new Map<string, string>()
  /** Of everything with an address, read or not. */
  private readonly types = new Map<string, string>()
  /** The same of what a resource contains, whose names count in it alone. */
  private readonly containedTypes = new Map<Resource, Map<string, string>>()
  private readonly byReference = new Map<string, Resource>()
  private readonly byIdentifier = new Map<string, Resource>()
  /** Addresses of what the file deletes. */
  private readonly deleted = new Set<string>()
  /** What documents say of what stands in their sections. */
  private readonly sections: Sections = []
  private readonly addresses = new Map<Resource, string[]>()
  private ofEntries: Map<Resource | string | undefined, Sections> | undefined
  private panels: Map<Resource | undefined, { panel: ObservationResource }[]> | undefined
  private holders: Map<Resource | undefined, { report: ReportResource }[]> | undefined
  private readonly containers = new Map<Resource, Resource>()

  static of(json: unknown): Library {
    const library = new Library()
    library.addAll(json)
    return library
  }

  /** Contained ("#id"), absolute, urn:uuid and relative references, with or without a version. */
  find(reference: string | undefined, from: Resource): Resource | undefined {
    if (reference === undefined) return undefined
    if (reference.startsWith('#')) {
      const owner = this.containers.get(from) ?? from
      return this.all.find((one) => this.containers.get(one) === owner && one.id === reference.slice(1))
    }
    const plain = reference.replace(/\/_history\/.*$/, '')
    return this.byReference.get(plain) ?? this.byReference.get(plainReference(reference))
  }

  /** What is not valid and may have said whose, of what or how certain a result is. */
  brokenBeside(one: Resource, references: readonly (Reference | undefined)[]): string | undefined {
    const lost = references.flatMap((to) => (to?.reference && !this.find(to.reference, one) ? to.reference : []))
    return [...lost, ...(this.addresses.get(one) ?? [])]
      .map((address) => this.broken.get(plainReference(address)))
      .find((because) => because !== undefined)
  }

  /** The same, also by an identifier alone. */
  follow(to: Reference | undefined, from: Resource): Resource | undefined {
    const { system = '', value } = to?.identifier ?? {}
    return this.find(to?.reference, from) ?? (value ? this.byIdentifier.get(`${system}|${value}`) : undefined)
  }

  /** The panels of which an Observation is a member. */
  panelsOf(one: Resource): ObservationResource[] {
    this.panels ??= Map.groupBy(
      this.list('Observation').flatMap((panel) =>
        (panel.hasMember ?? []).map((to) => ({ panel, member: this.follow(to, panel) })),
      ),
      ({ member }) => member,
    )
    return (this.panels.get(one) ?? []).map(({ panel }) => panel)
  }

  /** The reports that hold an Observation. */
  reportsOn(one: Resource): ReportResource[] {
    this.holders ??= Map.groupBy(
      this.list('DiagnosticReport').flatMap((report) =>
        (report.result ?? []).map((to) => ({ report, result: this.follow(to, report) })),
      ),
      ({ result }) => result,
    )
    return (this.holders.get(one) ?? []).map(({ report }) => report)
  }

  /** Whether the file deletes it, whichever of its versions this is. */
  isDeleted(one: Resource): boolean {
    return (this.addresses.get(one) ?? []).some((address) => this.deleted.has(address))
  }

  /** What documents say of a result: their status, where it does not count, and the titles of its sections. */
  saidOfDocument(one: Resource): Sections {
    this.ofEntries ??= Map.groupBy(this.sections, ({ entry }) => entry && this.find(entry, one))
    const ofAll = this.sections.filter(({ entry, status }) => entry === undefined && status !== undefined)
    return [...ofAll, ...(this.ofEntries.get(one) ?? [])]
  }

  /** What kind of thing a reference means, as far as it or the file says. */
  typeOf({ reference = '', type }: Reference, from: Resource): string | undefined {
    const inner = this.containedTypes.get(this.containers.get(from) ?? from)
    return (
      type ??
      inner?.get(reference) ??
      this.types.get(reference) ??
      /(?:^|\/)([A-Z][A-Za-z]+)\/[^/]+(?:\/_history\/.*)?$/.exec(reference)?.[1]
    )
  }

  list<T extends Resource['resourceType']>(type: T): Extract<Resource, { resourceType: T }>[] {
    return this.all.filter((one): one is Extract<Resource, { resourceType: T }> => one.resourceType === type)
  }

  noted(): string[] {
    return distinct(this.notes)
  }

  /** Resources, lists of them, and Bundles in Bundles. */
  private addAll(json: unknown, fullUrl?: string, depth = 0): void {
    if (depth > MAX_DEPTH) return
    if (Array.isArray(json)) {
      for (const one of json) this.addAll(one, undefined, depth + 1)
      return
    }
    const bundle = Bundle.safeParse(json)
    if (!bundle.success) this.add(json, fullUrl)
    else {
      for (const one of bundle.data.entry ?? []) this.addAll(one?.resource, one?.fullUrl, depth + 1)
      for (const address of deletedIn(bundle.data)) this.deleted.add(address)
      const label = labelAgainst(bundle.data.meta)
      if (label) this.sections.push({ status: `one of test data: ${label}`, titles: [] })
    }
  }

  private add(json: unknown, fullUrl?: string, container?: Resource): void {
    const type = typeOf(json)
    const inner =
      container && typeof json === 'object' && json !== null && 'id' in json ? `#${String(json.id)}` : undefined
    for (const address of type === 'List' ? deletedInList(json) : []) this.deleted.add(address)
    if (type === 'Composition') this.sections.push(...saidIn(json))
    if (type === 'MessageHeader') this.sections.push(...saidOfSource(json))
    if (['DetectedIssue', 'Communication', 'Provenance'].includes(type)) this.sections.push(...saidAbout(json))
    if (fullUrl && type !== '') this.types.set(fullUrl, type)
    if (container && inner && type !== '')
      this.containedTypes.set(container, (this.containedTypes.get(container) ?? new Map()).set(inner, type))
    if (!READ.includes(type)) return
    const read = Resource.safeParse(withNotes(json))
    if (!read.success) {
      const [issue] = read.error.issues
      const at = issue?.path.join('.') || 'itself'
      this.notes.push(`A resource of the type ${type} is not valid and was left out: its field ${at}`)
      if (type === 'Observation')
        this.unreadable.push({ name: nameIn(json), text: textIn(json), because: `its field ${at} is not valid` })
      const { id, result = [], hasMember = [] } = Written.safeParse(json).data ?? {}
      for (const address of [
        fullUrl,
        inner,
        id && `${type}/${id}`,
        ...[...result, ...hasMember].map(({ reference }) => reference),
      ])
        if (address) this.broken.set(plainReference(address), `its ${type} is not valid: ${at}`)
      return
    }
    const resource = read.data
    this.all.push(resource)
    if (container) {
      this.containers.set(resource, container)
      return
    }
    // A request and the report on it may share a number: what is named by that alone is the report.
    const numbered = resource.resourceType !== 'ServiceRequest' && 'identifier' in resource
    for (const { system = '', value } of numbered ? (resource.identifier ?? []) : [])
      if (value) this.byIdentifier.set(`${system}|${value}`, resource)
    if (fullUrl) this.byReference.set(fullUrl, resource)
    if (resource.id) this.byReference.set(`${type}/${resource.id}`, resource)
    this.addresses.set(
      resource,
      [fullUrl, resource.id && `${type}/${resource.id}`].filter((one) => one !== undefined),
    )
    for (const inner of resource.contained ?? []) this.add(inner, undefined, resource)
  }
}

function typeOf(json: unknown): string {
  if (typeof json !== 'object' || json === null || !('resourceType' in json)) return ''
  return typeof json.resourceType === 'string' ? json.resourceType : ''
}

function nameIn(json: unknown): string {
  const named = Named.safeParse(json)
  const { text, coding } = named.data?.code ?? {}
  return clean(text ?? coding?.find(({ display }) => display)?.display ?? coding?.[0]?.code ?? '', 200)
}

/** What it would say, as it stands there, for whoever looks at it. */
function textIn(json: unknown): string {
  const { valueQuantity, valueString, valueCodeableConcept: coded } = Written.safeParse(json).data ?? {}
  const said =
    valueQuantity?.value ?? valueString ?? coded?.text ?? coded?.coding?.find(({ display }) => display)?.display
  return clean(String(said ?? ''), 60)
}
