import { Box, Container, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePageTitle } from '../../components/page-title.ts'
import mark from '../../favicon.svg'
import { LanguageLinks } from '../../frame/language-switch.tsx'

/** The layout of pages before signing in: one narrow column. */
export function EntryLayout({ title, children, size = 420 }: { title: string; children: ReactNode; size?: number }) {
  usePageTitle(title)
  return (
    <Box component="main" pt={{ base: 'xl', sm: 96 }} pb="xl">
      <Container size={size}>
        <Group gap="sm" mb="lg">
          <img src={mark} alt="" width={36} height={36} />
          <Text size="xl" ff="heading" lh={1}>
            Kitlane
          </Text>
        </Group>
        <Paper withBorder p="xl" radius="md">
          <Stack gap="md">
            <Title order={1}>{title}</Title>
            {children}
          </Stack>
        </Paper>
        <LanguageLinks />
      </Container>
    </Box>
  )
}
