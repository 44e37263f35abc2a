import type { Answer } from '@kitlane/client'
import type { Membership } from '../api/shapes.ts'
import { t } from '../language/t.ts'
import type { NavGroup } from './navigation.ts'

type Counts = Answer<'get', '/operator/v1/overview'>

const navigation: NavGroup[] = [
  [
    { path: '', label: t('Overview'), icon: 'overview' },
    { path: 'pack', label: t('Pack'), icon: 'pack' },
    { path: 'came-back', label: t('Came back'), icon: 'repeat' },
    { path: 'approvals', label: t('Approvals'), icon: 'check' },
    { path: 'stock', label: t('Stock'), icon: 'pack' },
    { path: 'lots', label: t('Lots'), icon: 'list' },
    { path: 'recalls', label: t('Recalls'), icon: 'warning' },
    { path: 'intake', label: t('Intake'), icon: 'scan' },
    { path: 'held-samples', label: t('Samples on hold'), icon: 'warning' },
    { path: 'review', label: t('Review'), icon: 'review' },
    { path: 'critical', label: t('Critical results'), icon: 'warning' },
    { path: 'unassessed', label: t('Not assessed'), icon: 'warning' },
    { path: 'unmatched', label: t('Unmatched'), icon: 'link' },
    { path: 'withdrawn', label: t('Withdrawn consents'), icon: 'shield' },
    { path: 'uploads', label: t('Uploads'), icon: 'upload' },
    { path: 'results', label: t('Enter results'), icon: 'download' },
    { path: 'parcels', label: t('Unknown parcels'), icon: 'warning' },
  ],
  [
    { path: 'numbers', label: t('Numbers'), icon: 'numbers' },
    { path: 'businesses', label: t('Businesses'), icon: 'building' },
    { path: 'consent-texts', label: t('Consent texts'), icon: 'shield' },
    { path: 'catalogue', label: t('Catalogue'), icon: 'book' },
    { path: 'laboratories', label: t('Laboratories'), icon: 'building' },
    { path: 'lab-orders', label: t('Orders to laboratories'), icon: 'order' },
    { path: 'layouts', label: t('Layout templates'), icon: 'book' },
    { path: 'mail', label: t('Mail'), icon: 'mail' },
    { path: 'jobs', label: t('Jobs'), icon: 'event' },
    { path: 'staff', label: t('Staff'), icon: 'people' },
    { path: 'access-review', label: t('Access review'), icon: 'check' },
    { path: 'sso', label: t('Single sign-on'), icon: 'key' },
    { path: 'audit', label: t('Audit'), icon: 'shield' },
    { path: 'alarms', label: t('Alarms'), icon: 'warning' },
    { path: 'retention', label: t('Retention'), icon: 'shield' },
    { path: 'backups', label: t('Backups'), icon: 'download' },
    { path: 'system', label: t('System'), icon: 'settings' },
  ],
]

// The pages of each role; an administrator has all of them. The service itself enforces what a role may do.
const places: Partial<Record<Membership['role'], readonly string[]>> = {
  fulfilment: ['', 'pack', 'came-back', 'stock', 'lots', 'recalls', 'parcels'],
  lab: [
    '',
    'intake',
    'held-samples',
    'review',
    'unmatched',
    'withdrawn',
    'uploads',
    'results',
    'laboratories',
    'lab-orders',
    'layouts',
  ],
  reviewer: ['', 'approvals', 'review', 'critical', 'unassessed'],
  provider: ['approvals'],
}

const countKeys: Record<string, keyof Counts> = {
  pack: 'toPack',
  'came-back': 'cameBack',
  approvals: 'toApprove',
  stock: 'lowStock',
  recalls: 'recalledKits',
  intake: 'toReceive',
  'held-samples': 'heldSamples',
  review: 'inReview',
  critical: 'critical',
  unassessed: 'unassessed',
  unmatched: 'unmatched',
  uploads: 'uploadsToReview',
  'lab-orders': 'waitingLabOrders',
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
