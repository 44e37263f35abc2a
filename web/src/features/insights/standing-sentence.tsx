import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { Overview } from '../../api/shapes.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { StatusShape } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import css from './overview.module.css'
import { standingOf } from './standing.ts'

/** How the business stands, in one sentence; each part leads to what it counts. */
export function StandingSentence({ overview }: { overview: Overview }) {
  const path = useRealmPath()
  const parts = standingOf(overview)
  if (parts.length === 0)
    return <p className={css.sentence}>{t('Nothing is on its way, and nothing waits for you.')}</p>
  return (
    <p className={css.sentence}>
      {parts.map(({ words, tone, to, filter }, index) => (
        <Fragment key={words}>
          {index > 0 && (index === parts.length - 1 ? ` ${t('and')} ` : ', ')}
          {tone && (
            <>
              <StatusShape tone={tone} />{' '}
            </>
          )}
          <Link to={path(...to)} search={filter}>
            {words}
          </Link>
        </Fragment>
      ))}
      .
    </p>
  )
}
