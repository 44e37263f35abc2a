import { CopyButton, Text, Tooltip, UnstyledButton } from '@mantine/core'
import type { MouseEvent } from 'react'
import { t } from '../language/t.ts'
import { Icon } from './icon.tsx'

/** An ID in fixed width; a click copies it. */
export function IdText({ value, size = 'sm' }: { value: string | number; size?: 'xs' | 'sm' | 'lg' }) {
  return (
    <CopyButton value={String(value)} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('Copied') : t('Copy')}>
          <UnstyledButton
            aria-label={t('Copy {value}', { value })}
            onClick={(event: MouseEvent) => {
              event.stopPropagation()
              copy()
            }}
            style={{ display: 'inline-flex', alignItems: 'center', gap: 4 }}
          >
            <Text component="span" ff="monospace" size={size}>
              {value}
            </Text>
            <Icon name={copied ? 'check' : 'copy'} size={13} />
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  )
}

/** An ID in a list: the last column, because people look for names. */
export function IdCell({ id }: { id: string | number }) {
  return (
    <Text component="span" ff="monospace" size="xs" c="dimmed">
      {id}
    </Text>
  )
}
