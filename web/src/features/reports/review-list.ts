import type { components } from '@kitlane/client'

export type Review = components['schemas']['ReportInReview']

/** More than a reviewer reads in a day. */
export const REVIEWS = { params: { query: { page: 0, size: 250 } } }

// The business is its name alone, or with its ID.
export const nameOfBusiness = ({ business }: { business: string | { name: string } }): string =>
  typeof business === 'string' ? business : business.name
