/**
 * Verifies that all acknowledged objects exist as sent, and nothing else: {@link
 * org.fedometer.driver.verify.Verifier} for a run, {@link
 * org.fedometer.driver.verify.RepositoryCheck} for a whole repository.
 */
package org.fedometer.driver.verify;
