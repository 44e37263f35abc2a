// Adds the region that an order needs.
const { createRegionsWorkflow } = require('@medusajs/medusa/core-flows')

const region = { name: 'US', currency_code: 'usd', countries: ['us'], payment_providers: ['pp_system_default'] }

module.exports.default = ({ container }) => createRegionsWorkflow(container).run({ input: { regions: [region] } })
