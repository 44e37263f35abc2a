import { isoStart, saysYear } from '../date.ts'
import type { Patient } from '../parsed.ts'
import { clean } from '../text.ts'
import type { PatientResource } from './resource.ts'

/** The person as a laboratory names them; what is not given is absent. */
export function describePatient(one: PatientResource): Patient {
  const name = one.name?.find(({ use }) => use === 'official') ?? one.name?.[0]
  const words = clean(name?.text ?? [...(name?.given ?? []), name?.family ?? ''].join(' '), 200)
  const dateOfBirth = isoStart(one.birthDate)
  const sex = one.gender === 'male' ? 'M' : one.gender === 'female' ? 'F' : undefined
  const numbered = one.identifier?.find(({ value }) => value)
  const id = numbered?.value ?? one.id
  const authority = clean(numbered?.system ?? '', 200)
  const hasDied = one.deceasedBoolean === true || one.deceasedDateTime !== undefined
  return {
    ...(words && { name: words }),
    ...(dateOfBirth ? { dateOfBirth } : saysYear(one.birthDate) && { unreadBirth: clean(one.birthDate ?? '', 40) }),
    ...(sex && { sex }),
    ...(id && { id: clean(id, 80) }),
    ...(authority && { authority }),
    ...(hasDied && { isDeceased: true as const }),
  }
}
