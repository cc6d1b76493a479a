/**
 * Loads a dataset into a Fedora and checks that it arrived: {@link
 * org.fedometer.driver.IngestDriver} sends, {@link org.fedometer.driver.ObjectIngest} decides after
 * every answer, {@link org.fedometer.driver.Verifier} looks afterwards. Knows Fedora by its REST
 * interface only, through {@link org.fedometer.driver.FedoraClient}.
 */
package org.fedometer.driver;
