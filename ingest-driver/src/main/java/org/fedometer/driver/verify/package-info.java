/**
 * Looks afterwards whether what was acknowledged is there, as it was sent, and nothing else: {@link
 * org.fedometer.driver.verify.Verifier} for a run, {@link
 * org.fedometer.driver.verify.RepositoryCheck} for all of a repository.
 */
package org.fedometer.driver.verify;
