import type { Answer } from '@kitlane/client'
import type { Membership } from '../api/shapes.ts'
import type { NavGroup } from './navigation.ts'

type Counts = Answer<'get', '/operator/v1/overview'>

const navigation: NavGroup[] = [
  [
    { path: '', label: 'Overview', icon: 'overview' },
    { path: 'pack', label: 'Pack', icon: 'pack' },
    { path: 'intake', label: 'Intake', icon: 'scan' },
    { path: 'review', label: 'Review', icon: 'review' },
    { path: 'critical', label: 'Critical results', icon: 'warning' },
    { path: 'unassessed', label: 'Not assessed', icon: 'warning' },
    { path: 'unmatched', label: 'Unmatched', icon: 'link' },
    { path: 'withdrawn', label: 'Withdrawn consents', icon: 'shield' },
    { path: 'uploads', label: 'Uploads', icon: 'upload' },
    { path: 'results', label: 'Enter results', icon: 'download' },
    { path: 'parcels', label: 'Unknown parcels', icon: 'warning' },
  ],
  [
    { path: 'numbers', label: 'Numbers', icon: 'numbers' },
    { path: 'businesses', label: 'Businesses', icon: 'building' },
    { path: 'consent-texts', label: 'Consent texts', icon: 'shield' },
    { path: 'catalogue', label: 'Catalogue', icon: 'book' },
    { path: 'laboratories', label: 'Laboratories', icon: 'building' },
    { path: 'layouts', label: 'Layout templates', icon: 'book' },
    { path: 'mail', label: 'Mail', icon: 'mail' },
    { path: 'jobs', label: 'Jobs', icon: 'event' },
    { path: 'staff', label: 'Staff', icon: 'people' },
    { path: 'access-review', label: 'Access review', icon: 'check' },
    { path: 'sso', label: 'Single sign-on', icon: 'key' },
    { path: 'audit', label: 'Audit', icon: 'shield' },
    { path: 'alarms', label: 'Alarms', icon: 'warning' },
    { path: 'retention', label: 'Retention', icon: 'shield' },
    { path: 'backups', label: 'Backups', icon: 'download' },
    { path: 'system', label: 'System', icon: 'settings' },
  ],
]

// The pages of each role; an administrator has all of them. The service itself enforces what a role may do.
const places: Partial<Record<Membership['role'], readonly string[]>> = {
  fulfilment: ['', 'pack', 'parcels'],
  lab: ['', 'intake', 'review', 'unmatched', 'withdrawn', 'uploads', 'results', 'laboratories', 'layouts'],
  reviewer: ['', 'review', 'critical', 'unassessed'],
}

const countKeys: Record<string, keyof Counts> = {
  pack: 'toPack',
  intake: 'toReceive',
  review: 'inReview',
  critical: 'critical',
  unassessed: 'unassessed',
  unmatched: 'unmatched',
  uploads: 'uploadsToReview',
  jobs: 'failedJobs',
  alarms: 'alarms',
}

/** The operator's navigation for these memberships, with the number of items that wait on each page. */
export function operatorGroups(memberships: readonly Membership[], counts?: Counts): NavGroup[] {
  const roles = memberships.filter(({ business }) => business === undefined).map(({ role }) => role)
  const isShown = (path: string) => roles.some((role) => role === 'operator-admin' || places[role]?.includes(path))
  return navigation
    .map((group) =>
      group
        .filter(({ path }) => isShown(path))
        .map((item) => {
          const key = countKeys[item.path]
          return key ? { ...item, count: counts?.[key] } : item
        }),
    )
    .filter((group) => group.length > 0)
}
