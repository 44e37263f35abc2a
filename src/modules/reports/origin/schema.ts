import { Laboratory } from '@kitlane/lab-reader/parse/origin'
import { z } from 'zod'
import { text } from '../../../platform/http/fields.ts'

export const Profile = Laboratory.extend({
  address: text(400),
  names: z.array(text(200)).max(50).default([]).describe('How messages call it besides its name.'),
  isDefault: z.boolean().default(false).describe('Results for kits that name no laboratory are of this one.'),
})
export type Profile = z.infer<typeof Profile>
export const StoredProfile = Profile.extend({ id: z.string() }).meta({ id: 'LaboratoryProfile' })
export type StoredProfile = z.infer<typeof StoredProfile>
