import type { ReactNode } from 'react'
import { useRead } from '../../api/hooks.ts'
import { Facts } from '../../components/facts.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { t } from '../../language/t.ts'
import { kindWords, lotOf } from './labels.tsx'

/** What a kit is made of, what its sample was measured with, and its recalls. */
export function KitLots({ kitID }: { kitID: string }) {
  const found = useRead('/operator/v1/kits/{kitID}/lots', { params: { path: { kitID } } }).data
  if (!found || found.lots.length + found.recalls.length === 0) return null
  return (
    <Facts
      title={t('Lots')}
      facts={[
        ...found.lots.map((lot): [string, string] => [kindWords[lot.kind], lotOf(lot)]),
        ...found.recalls.map(({ recallID, reason }): [string, ReactNode] => [
          t('Recall'),
          <PageLink key={recallID} to={`/operator/recalls/${recallID}`}>
            {reason}
          </PageLink>,
        ]),
      ]}
    />
  )
}
