import { isoStart, saysYear } from '../date.ts'
import { namesOf } from '../names.ts'
import type { Patient } from '../parsed.ts'
import { clean } from '../text.ts'
import type { PatientResource } from './resource.ts'

/** The person as a laboratory names them; what is not given is absent. */
export function describePatient(one: PatientResource): Patient {
  const own = (one.name ?? []).filter(({ use = '' }) => !['anonymous', 'temp'].includes(use))
  const official = own.filter(({ use }) => use === 'official')
  const names = namesOf(
    [...official, ...own.filter((name) => !official.includes(name))].map(({ text, given = [], family = '', use }) => ({
      name: clean(text ?? [...given, family].join(' '), 200),
      isByLaw: use === undefined || use === 'official',
    })),
  )
  const dateOfBirth = isoStart(one.birthDate)
  const sex = one.gender === 'male' ? 'M' : one.gender === 'female' ? 'F' : undefined
  const numbered = one.identifier?.find(({ value }) => value)
  const id = numbered?.value ?? one.id
  const authority = clean(numbered?.system ?? '', 200)
  const hasDied = one.deceasedBoolean === true || one.deceasedDateTime !== undefined
  const died = isoStart(one.deceasedDateTime) && one.deceasedDateTime?.trim()
  return {
    ...names,
    ...(dateOfBirth ? { dateOfBirth } : saysYear(one.birthDate) && { unreadBirth: clean(one.birthDate ?? '', 40) }),
    ...(sex && { sex }),
    ...(id && { id: clean(id, 80) }),
    ...(authority && { authority }),
    ...(hasDied && { isDeceased: true as const }),
    ...(died && { died }),
  }
}
