/** What is looked at before anything is begun: the machine, the profile, the repository. */
package org.fedometer.experiments.check;
