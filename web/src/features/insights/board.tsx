import { Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { useRead } from '../../api/hooks.ts'
import { PageLink } from '../../components/page-link.tsx'
import { exactOf } from '../../components/relative-date.tsx'
import { StatusShape } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import css from './overview.module.css'
import { nowOf } from './stations.ts'

const EVERY = { every: 30_000 }

/** What waits, for a wall: large, read again each half minute, with no name of anybody and no value. */
export function Board() {
  const overview = useRead('/operator/v1/overview', undefined, EVERY)
  const oldest = useRead('/operator/v1/overview/oldest', undefined, EVERY)
  useEffect(() => {
    document.title = t('{title} · Kitlane', { title: t('Now') })
  }, [])
  const waiting = overview.data ? nowOf(overview.data, { oldest: oldest.data?.oldest ?? {} }) : []
  return (
    <section className={css.board} aria-labelledby="board">
      <div className={css.boardHead}>
        <Title order={1} id="board">
          {t('Now')}
        </Title>
        <Text size="lg" c={overview.error ? 'var(--k-bad)' : 'dimmed'} aria-live="polite">
          {overview.error
            ? t('No connection: this may be out of date')
            : overview.dataUpdatedAt > 0 &&
              t('As of {exact}', { exact: exactOf(new Date(overview.dataUpdatedAt).toISOString()) })}
        </Text>
        <PageLink to="/operator">{t('Leave the wall')}</PageLink>
      </div>
      {overview.data && waiting.length === 0 && <p className={css.boardLine}>{t('Nothing waits.')}</p>}
      <ol className={css.stream}>
        {waiting.map(({ key, tone, words, age, isLate }) => (
          <li key={key} className={css.boardLine}>
            <StatusShape tone={tone} />
            <span>{words}</span>
            <span className={isLate ? css.late : undefined}>{age}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
