const { defineConfig } = require('@medusajs/framework/utils')

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { ssl: false },
    http: { storeCors: '', adminCors: '', authCors: '', jwtSecret: 'bench', cookieSecret: 'bench' },
  },
})
