import { Text } from '@mantine/core'
import { t } from '../language/t.ts'

export interface Change {
  name: string
  before: string
  after: string
}

/** What a correction changes, before it is saved. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <Text c="dimmed">{t('Nothing is changed yet.')}</Text>
  return (
    <ul aria-label={t('What changes')} style={{ margin: 0, paddingInlineStart: 20 }}>
      {changes.map(({ name, before, after }) => (
        <li key={name}>
          {name}: <s>{before || t('empty')}</s> → <b>{after || t('empty')}</b>
        </li>
      ))}
    </ul>
  )
}
