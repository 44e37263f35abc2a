import type { Patient } from '../parsed.ts'
import { areSeveralPeople } from '../person.ts'
import { cleaned } from '../text.ts'
import type { Group } from './collect.ts'
import type { Library } from './library.ts'
import { describePatient } from './patient.ts'
import { plainReference, type Reference, type Resource } from './resource.ts'

/** Several Patients, or results of several subjects, whether the file describes them or not. */
export function namesSeveral(library: Library): boolean {
  if (areSeveralPeople(library.list('Patient').map(describePatient))) return true
  const results = [...library.list('DiagnosticReport'), ...library.list('Observation')]
  const subjects = results.flatMap((one) => {
    if (!isPerson(one.subject, one, library)) return []
    return library.find(one.subject?.reference, one) ?? namedBy(one.subject) ?? []
  })
  // Those that the file describes were compared: they count as one.
  const unknown = new Set(subjects.flatMap((one) => (typeof one === 'string' ? plainReference(one) : [])))
  return unknown.size + (subjects.some((one) => typeof one !== 'string') ? 1 : 0) > 1
}

/** Whether a subject may be a person: not a device, a place, a group or a substance. */
export const isPerson = (reference: Reference | undefined, from: Resource, library: Library): boolean =>
  reference === undefined || ['Patient', undefined].includes(library.typeOf(reference, from))

/** How a reference names somebody whom the file does not describe. */
export function namedBy({ reference, display, identifier }: Reference = {}): string | undefined {
  if (reference) return reference
  const number = identifier?.value && `${identifier.system ?? ''} ${identifier.value}`.replaceAll('/', ' ')
  return number ?? (display === undefined ? undefined : `by name ${display}`)
}

/** The person of a group, as far as the file says. */
export function patientOf([group]: readonly Group[], library: Library): Patient | undefined {
  if (!group) return undefined
  const reference = group.report?.subject ?? group.members[0]?.subject
  const one = library.find(reference?.reference, group.owner)
  if (one?.resourceType !== 'Patient')
    return isPerson(reference, group.owner, library) ? describeReference(reference) : undefined
  return describePatient(one)
}

function describeReference({ display, identifier }: Reference = {}): Patient | undefined {
  const [name, id] = [cleaned(display, 200), cleaned(identifier?.value, 80)]
  return (name ?? id) === undefined ? undefined : { ...(name && { name }), ...(id && { id }) }
}
