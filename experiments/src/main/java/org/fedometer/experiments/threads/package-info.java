/** Creation of threads for jobs and commands. */
package org.fedometer.experiments.threads;
