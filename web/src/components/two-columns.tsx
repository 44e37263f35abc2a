import { Grid, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

/** The page of one object: what happened on the left, its facts on the right; stacked on a phone. */
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
