import { isKitId, normalizeId } from '@kitlane/display/short-id'
import { hl7Day, hl7Time, saysYear } from '../date.ts'
import { namesOf } from '../names.ts'
import type { Patient } from '../parsed.ts'
import { clean } from '../text.ts'
import { component, type Delimiters, repetitions, type Segment } from './message.ts'

/** A number of the person, in PID-2 to PID-4, that is the ID of a kit. */
export const kitIdsOfPerson = (pid: Segment | undefined, marks: Delimiters): string[] =>
  [2, 3, 4]
    .flatMap((field) => (pid ? repetitions(pid, marks, field) : []))
    .map((one) => one.split(marks.component)[0] ?? '')
    .filter(isKitId)
    .map(normalizeId)

/** HL7 table 0200: of a spouse, a pseudonym, bad, of a business, not to be used, for the time being. */
const notOwn = ['P', 'S', 'BAD', 'K', 'NOUSE', 'TEMP']

/** The person of a PID segment; what is not given is absent. */
export function readPatient(pid: Segment, marks: Delimiters, zone?: string): Patient {
  const names = namesOf(
    (pid.fields[5] ?? '').split(marks.repetition).flatMap((_, index) => {
      const part = (number: number) => component(pid, marks, 5, number, index + 1)
      const use = part(7).toUpperCase()
      return notOwn.includes(use)
        ? []
        : [{ name: clean(`${part(2)} ${part(1)}`, 200), isByLaw: ['', 'L', 'D', 'U'].includes(use) }]
    }),
  )
  // Zeros stand for a month or day that is not known.
  const born = component(pid, marks, 7).replace(/^(\d{4})(0[1-9]|1[0-2])?0{2,4}$/, '$1$2')
  const dateOfBirth = hl7Day(born)
  const hasDied = component(pid, marks, 29) !== '' || component(pid, marks, 30).toUpperCase() === 'Y'
  const died = hl7Day(component(pid, marks, 29)) && hl7Time(component(pid, marks, 29), zone)
  const sex = component(pid, marks, 8).toUpperCase()
  const id = clean(component(pid, marks, 3), 80)
  const authority = clean([4, 5].map((number) => component(pid, marks, 3, number)).join(' '), 200)
  return {
    ...names,
    ...(dateOfBirth ? { dateOfBirth } : saysYear(born) && { unreadBirth: clean(born, 40) }),
    ...((sex === 'M' || sex === 'F') && { sex }),
    ...(id && { id }),
    ...(id && authority && { authority }),
    ...(hasDied && { isDeceased: true as const }),
    ...(died && { died }),
  }
}
