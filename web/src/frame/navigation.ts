import type { Overview } from '../api/shapes.ts'
import type { IconName } from '../components/icon.tsx'
import { t } from '../language/t.ts'

export interface NavItem {
  /** Below the frame: `orders`. Empty for its first page. */
  path: string
  label: string
  /** How many items wait there, from the overview. */
  count?: number
  /** Empty for people with read-only access. */
  isForWriters?: true
}

/** Pages that belong together, below one heading. */
export interface NavArea {
  label: string
  icon: IconName
  items: readonly NavItem[]
}

const business: readonly NavArea[] = [
  {
    label: t('Now'),
    icon: 'overview',
    items: [
      { path: '', label: t('Overview') },
      { path: 'numbers', label: t('Numbers') },
    ],
  },
  {
    label: t('Ordering'),
    icon: 'order',
    items: [
      { path: 'orders', label: t('Orders') },
      { path: 'bulk', label: t('Bulk orders') },
      { path: 'plans', label: t('Recurring plans') },
      { path: 'undelivered', label: t('Undelivered boxes') },
    ],
  },
  {
    label: t('Testing'),
    icon: 'kit',
    items: [
      { path: 'kits', label: t('Kits') },
      { path: 'held-samples', label: t('Samples on hold') },
      { path: 'recalled-kits', label: t('Recalled kits') },
      { path: 'uploads', label: t('Uploads'), isForWriters: true },
    ],
  },
  {
    label: t('People'),
    icon: 'people',
    items: [
      { path: 'customers', label: t('Customers') },
      { path: 'reports', label: t('Reports') },
    ],
  },
  {
    label: t('Setup'),
    icon: 'settings',
    items: [
      { path: 'billing', label: t('Billing') },
      { path: 'developers', label: t('Developers') },
      { path: 'settings', label: t('Settings') },
    ],
  },
]

/** The navigation of a business, with the number of recalled kits whose people nobody told. */
export function businessAreas(may: { write: boolean }, attention: Overview['attention'] = []): NavArea[] {
  const untold = attention.find(({ kind }) => kind === 'recalledKits')?.count
  return business.map((area) => ({
    ...area,
    items: area.items
      .filter(({ isForWriters }) => may.write || !isForWriters)
      .map((item) => (item.path === 'recalled-kits' && untold ? { ...item, count: untold } : item)),
  }))
}
