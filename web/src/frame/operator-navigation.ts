import type { paths } from '@kitlane/client'
import type { Membership } from '../api/shapes.ts'
import { type NavGroup, operatorNavigation } from './navigation.ts'

type Counts = paths['/operator/v1/overview']['get']['responses'][200]['content']['application/json']

// Where each role works; an administrator works everywhere. The service itself refuses what a role may not do.
const places: Partial<Record<Membership['role'], readonly string[]>> = {
  fulfilment: ['', 'pack', 'parcels'],
  lab: ['', 'intake', 'review', 'unmatched', 'uploads', 'results'],
  reviewer: ['', 'review', 'unassessed'],
}

const counted: Record<string, keyof Counts> = {
  pack: 'toPack',
  intake: 'toReceive',
  review: 'inReview',
  unassessed: 'unassessed',
  unmatched: 'unmatched',
  uploads: 'uploadsToReview',
  jobs: 'failedJobs',
}

/** The operator's navigation for someone with these memberships, with what waits. */
export function operatorGroups(memberships: readonly Membership[], counts?: Counts): NavGroup[] {
  const roles = memberships.filter(({ business }) => business === undefined).map(({ role }) => role)
  const isShown = (path: string) => roles.some((role) => role === 'operator-admin' || places[role]?.includes(path))
  return operatorNavigation
    .map((group) =>
      group
        .filter(({ path }) => isShown(path))
        .map((item) => {
          const key = counted[item.path]
          return key ? { ...item, count: counts?.[key] } : item
        }),
    )
    .filter((group) => group.length > 0)
}
