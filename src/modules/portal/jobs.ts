import { z } from 'zod'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { selectWardsAnywhere } from '../customers/guardian-queries.ts'
import { purgeEnded } from '../links/service.ts'
import { NEW_LINK_JOB, openLinkRequest, sendNewLink } from './personal/reader.ts'
import { deleteOldDrafts, selectPeople } from './queries.ts'

/** Sends a link to the person who asked for one. It runs apart: how long a page takes tells nobody whether an e-mail is known. */
export const sendNewLinks = job({
  name: NEW_LINK_JOB,
  input: z.object({ sealed: z.string(), language: z.string().optional() }),
  retryLimit: 5,
  expireInSeconds: 60,
  async handler({ database, actor }: JobContext, { sealed, language }) {
    const people = await database.asSystem(actor, async (tx) => {
      const email = openLinkRequest(tx, sealed)
      const wards = await selectWardsAnywhere(tx, email)
      const theirs = wards.map(({ guardian: { firstName }, ...ward }) => ({ ...ward, email, firstName }))
      return [...(await selectPeople(tx, email)), ...theirs]
    })
    for (const { realm, ...person } of people)
      await database.inRealm(realm, actor, (tx) => sendNewLink(tx, person, language))
  },
})

export const purgeLinks = job({
  name: 'recipient.purge',
  retryLimit: 3,
  expireInSeconds: 300,
  cron: '41 * * * *',
  handler: ({ database, actor }: JobContext) =>
    database.asSystem(actor, async (tx) => {
      await purgeEnded(tx)
      await deleteOldDrafts(tx)
    }),
})
