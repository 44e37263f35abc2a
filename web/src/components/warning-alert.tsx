import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** A warning. */
export function WarningAlert({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Alert color="yellow" icon={<Icon name="warning" />} title={title}>
      {children}
    </Alert>
  )
}
