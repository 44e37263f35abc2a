import { Grid, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

/** The page of one thing: what happened at the left, what it is at the right; below each other on a phone. */
export function TwoColumns({ left, right }: { left: ReactNode; right: ReactNode }) {
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack gap="lg">{left}</Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Stack gap="md">{right}</Stack>
      </Grid.Col>
    </Grid>
  )
}
