import { z } from 'zod'
import { text } from '../../../platform/http/fields.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { selectProfiles } from './queries.ts'
import { Profile, StoredProfile } from './schema.ts'
import { removeProfile, saveProfile } from './service.ts'

const tag = 'Operator: laboratories'
const params = z.object({ laboratoryID: text(64) })

export const listLaboratories = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/laboratories',
  tag,
  summary: 'List the profiles of laboratories',
  description: 'A report takes from them what the message does not say: name, address, CLIA number, director.',
  scope: 'lab',
  answers: { 200: z.array(StoredProfile) },
  handler: async ({ tx }) => ({ status: 200, body: await selectProfiles(tx) }),
})

export const addLaboratory = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/laboratories',
  tag,
  summary: 'Add the profile of a laboratory',
  effects: [],
  scope: 'lab',
  body: Profile,
  answers: { 201: StoredProfile },
  handler: async ({ tx, body }) => ({ status: 201, body: await saveProfile(tx, body) }),
})

export const changeLaboratory = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/laboratories/:laboratoryID',
  tag,
  summary: 'Change the profile of a laboratory',
  effects: [],
  description: 'All of it. Reports that were received before keep what they say.',
  scope: 'lab',
  params,
  body: Profile,
  answers: { 200: StoredProfile },
  errors: ['LABORATORY_NOT_FOUND'],
  handler: async ({ tx, params: { laboratoryID }, body }) => ({
    status: 200,
    body: await saveProfile(tx, body, laboratoryID),
  }),
})

export const removeLaboratory = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/laboratories/:laboratoryID/remove',
  tag,
  summary: 'Remove the profile of a laboratory',
  description: 'Not while it has open orders.',
  effects: [],
  scope: 'lab',
  params,
  answers: { 200: z.object({ id: z.string() }) },
  errors: ['LABORATORY_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params: { laboratoryID: id } }) => {
    await removeProfile(tx, id)
    return { status: 200, body: { id } }
  },
})
