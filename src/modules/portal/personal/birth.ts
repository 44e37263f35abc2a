import { z } from 'zod'
import type { PageAnswer, PageRequest } from '../../../platform/http/pages.ts'
import * as links from '../../links/service.ts'
import { readDate } from '../registration/form.ts'
import { type Reader, sessionCookie, type Visit } from './reader.ts'

/** Reads a date of birth from a form. A right one begins a visit in which the pages below `path` are shown. */
export async function checkBirth(
  request: PageRequest,
  reader: Reader,
  { name, path }: { name: Visit; path: string },
): Promise<PageAnswer> {
  const date = readDate(request.form)
  if (!z.iso.date().safeParse(date).success) return { to: `${path}?problem=noDay` }
  const actor = reader.share ? `share:${reader.share.id}` : `recipient:${reader.customerId}`
  // Over all realms: wrong dates count by network, whichever business they are about.
  const verdict = await request.asSystem((tx) =>
    links.checkDateOfBirth({ ...tx, realm: reader.realm, actor: { ...tx.actor, name: actor } }, reader, {
      dateOfBirth: date,
      ip: request.ip,
    }),
  )
  if (verdict.is === 'right') return { to: path, cookies: [sessionCookie(name, verdict.secret)] }
  return { to: verdict.is === 'wrong' ? `${path}?problem=otherDay` : path }
}
