import { Anchor, Container, Loader, Stack, Text, Title } from '@mantine/core'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { Failure } from '../components/failure.tsx'

export function NotFound() {
  return (
    <Container size="xs" py="xl">
      <Stack gap="sm">
        <Title order={1}>There is no such page</Title>
        <Text>The link may be old, or a letter is missing.</Text>
        <Anchor component={Link} to="/">
          Go to the start
        </Anchor>
      </Stack>
    </Container>
  )
}

export function PageError({ error, reset }: ErrorComponentProps) {
  return (
    <Container size="sm" py="xl">
      <Failure error={error} retry={reset} />
    </Container>
  )
}

export function PagePending() {
  return <Loader size="sm" m="xl" aria-label="Loading" />
}
