import { ActionIcon, CopyButton, Text, Tooltip, UnstyledButton } from '@mantine/core'
import type { MouseEvent } from 'react'
import { Icon } from './icon.tsx'

/** A small button that copies the value beside it. */
export function CopyIcon({ value }: { value: string }) {
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy'}>
          <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={`Copy ${value}`}>
            <Icon name={copied ? 'check' : 'copy'} size={15} />
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}

/** An ID in fixed width; a click copies it. */
export function IdText({ value, size = 'sm' }: { value: string | number; size?: 'xs' | 'sm' | 'lg' }) {
  return (
    <CopyButton value={String(value)} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : 'Copy'}>
          <UnstyledButton
            aria-label={`Copy ${value}`}
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
